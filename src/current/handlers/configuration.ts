/** `/configuration`: the project as its files say it. */
import { planConfiguration, pushConfiguration, readConfiguration } from '../../core/configuration/configuration.ts'
import { assertAdministrator } from '../../core/model/schema-change.ts'
import { withClients } from '../../core/usage/affected-clients.ts'
import type { ChangeWithClients, FileKind, ProjectDocument } from '../../domain/ports/configuration.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { CurrentConfigurationOperations, components } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { configurationModel } from '../configuration/configuration.ts'

export const configuration = {
  async readConfiguration(ctx) {
    const document = await readConfiguration(ctx, configurationModel)
    return json({ data: document as components['schemas']['ProjectConfiguration'] })
  },

  async compareConfiguration(ctx, { body }) {
    const plan = await planConfiguration(ctx, configurationModel, toPlanned(body))
    const changes = await withClients(ctx, plan.changes)
    return json({ data: { changes: changes.map(toWire), kept: [...plan.kept] } }, 200)
  },

  async applyConfiguration(ctx, { body }) {
    assertAdministrator(ctx)
    await pushConfiguration(ctx, configurationModel, { ...toPlanned(body), seen: body.changes })
    return empty()
  },
} satisfies Handlers<CurrentConfigurationOperations>

const toPlanned = ({ configuration: input, prune, secrets }: components['schemas']['ConfigurationPlanInput']) => ({
  document: readGiven(input),
  options: { prune: prune === true, secrets: new Set(secrets) },
})

const toWire = ({
  unnamed: _unnamed,
  lost: _lost,
  perhaps: _perhaps,
  administration: _administration,
  isOlder: _isOlder,
  clients,
  fields,
  breaks,
  ...change
}: ChangeWithClients): components['schemas']['PlannedChange'] => ({
  ...change,
  fields: fields === null ? null : [...fields],
  breaks: [...breaks],
  clients: clients.map(({ lastCall, ...client }) => ({ ...client, last_call: lastCall })),
})

/** The key of a file that names what it describes. */
const named = { collections: 'collection', roles: 'role', policies: 'policy', dashboards: 'dashboard' } as const

/** A configuration that a client gives, checked like the files of a project. Throws `invalid-payload` with the place of the first fault. */
function readGiven(input: components['schemas']['GivenConfiguration']): ProjectDocument {
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
