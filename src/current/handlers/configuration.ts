/** `/configuration`: the project as its files say it. */
import { planConfiguration, pushConfiguration, readConfiguration } from '../../core/configuration/configuration.ts'
import { assertAdministrator } from '../../core/model/schema-change.ts'
import { withClients } from '../../core/usage/affected-clients.ts'
import type { ChangeWithClients } from '../../domain/ports/configuration.ts'
import type { CurrentConfigurationOperations, components } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { configurationModel } from '../configuration/configuration.ts'
import { readGiven } from '../configuration/given-configuration.ts'

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
