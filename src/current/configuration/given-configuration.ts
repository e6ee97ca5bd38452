/** A configuration that a client gives, checked like the files of a project. */
import type { FileKind, ProjectDocument } from '../../domain/ports/configuration.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { components } from '../../generated/current.ts'
import { configurationModel } from './configuration.ts'

/** The key of a file that names what it describes. */
const named = { collections: 'collection', roles: 'role', policies: 'policy', dashboards: 'dashboard' } as const

/** Throws `invalid-payload` with the place of the first fault. */
export function readGiven(input: components['schemas']['GivenConfiguration']): ProjectDocument {
  for (const [part, kind] of Object.entries(named) as [keyof typeof named, (typeof named)[keyof typeof named]][])
    for (const [name, entry] of Object.entries(input[part] ?? {}))
      check(kind, { ...entry, [kind]: name }, `${part}.${name}`)
  for (const [language, texts] of Object.entries(input.translations ?? {}))
    check('translations', { language, texts }, `translations.${language}`)
  if (input.settings != null) check('settings', input.settings, 'settings')
  if (input.presets != null) check('presets', input.presets, 'presets')
  if (input.webhooks != null) check('webhooks', input.webhooks, 'webhooks')
  return {
    collections: input.collections ?? {},
    roles: input.roles ?? {},
    policies: input.policies ?? {},
    dashboards: input.dashboards ?? {},
    translations: input.translations ?? {},
    settings: input.settings ?? null,
    presets: input.presets ?? null,
    webhooks: input.webhooks ?? null,
  }
}

function check(kind: FileKind, value: unknown, part: string): void {
  const fault = configurationModel.check(kind, value)
  if (fault === null) return
  const name = ['configuration', part, ...fault.path].join('.')
  throw invalidPayload(name, `Expected another value for "${name}": it ${fault.reason}`)
}
