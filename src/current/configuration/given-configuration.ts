/** A configuration that a client gives, checked like the files of a project. */
import type { FileKind, ProjectDocument } from '../../domain/ports/configuration.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { components } from '../../generated/current.ts'
import { configurationModel } from './configuration.ts'

type Given = components['schemas']['GivenConfiguration']

/** The key of a file that names what it describes. */
const named = { collections: 'collection', roles: 'role', policies: 'policy', dashboards: 'dashboard' } as const

/** Throws `invalid-payload` with the place of the first fault. */
export function readGiven(given: Given): ProjectDocument {
  for (const [part, kind] of Object.entries(named) as [keyof typeof named, (typeof named)[keyof typeof named]][])
    for (const [name, entry] of Object.entries(given[part] ?? {}))
      check(kind, { ...entry, [kind]: name }, `${part}.${name}`)
  for (const [language, texts] of Object.entries(given.translations ?? {}))
    check('translations', { language, texts }, `translations.${language}`)
  if (given.settings != null) check('settings', given.settings, 'settings')
  if (given.presets != null) check('presets', given.presets, 'presets')
  if (given.webhooks != null) check('webhooks', given.webhooks, 'webhooks')
  return {
    collections: given.collections ?? {},
    roles: given.roles ?? {},
    policies: given.policies ?? {},
    dashboards: given.dashboards ?? {},
    translations: given.translations ?? {},
    settings: given.settings ?? null,
    presets: given.presets ?? null,
    webhooks: given.webhooks ?? null,
  }
}

function check(kind: FileKind, value: unknown, part: string): void {
  const fault = configurationModel.check(kind, value)
  if (fault === null) return
  const place = ['configuration', part, ...fault.path].join('.')
  throw invalidPayload(place, `Expected another value for "${place}": it ${fault.reason}`)
}
