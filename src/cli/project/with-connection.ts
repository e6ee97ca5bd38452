/** Opens a project: that of the configured database, or that of a server. */
import { loadGenerations } from '../../app.ts'
import type { Config } from '../../config/sections.ts'
import { planConfiguration, pushConfiguration, readConfiguration } from '../../core/configuration/configuration.ts'
import { withClients } from '../../core/usage/affected-clients.ts'
import { readUsage } from '../../core/usage/read-usage.ts'
import type { ConfigurationModel } from '../../domain/ports/configuration.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { GenerationDefinition } from '../../http/app/generation.ts'
import { createContext } from '../context.ts'
import { withTables } from '../database.ts'
import type { ProjectConnection } from './project-connection.ts'
import { connectToServer } from './server-connection.ts'

/** Without an address, the configured database. */
export type Target = { readonly url?: string; readonly token?: string }

/** Runs `work` with the project of a server, or of the configured database, which is closed at the end. */
export function withConnection<T>(
  { url, token }: Target,
  command: string,
  work: (connection: ProjectConnection) => Promise<T>,
): Promise<T> {
  if (url !== undefined) return work(connectToServer(url, token))
  return withTables(async (db, config: Config) => {
    const generation = definitionOf(await loadGenerations(config))
    const ctx = await createContext(db, config, { generation, command })
    const { configurationModel: model } = generation
    return work({
      read: () => explained(readConfiguration(ctx, model)),
      plan: (planned) =>
        explained(
          planConfiguration(ctx, model, planned).then(async ({ changes, kept }) => ({
            changes: await withClients(ctx, changes),
            kept,
          })),
        ),
      push: (planned, seen) => explained(pushConfiguration(ctx, model, { ...planned, seen })),
      usage: (filter) => readUsage(ctx, filter),
    })
  })
}

/** The reason of a refused file, without its kind. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const [failure] = error instanceof TandemError ? error.failures : []
    if (failure?.kind !== 'invalid-payload') throw error
    throw new Error(failure.reason, { cause: error })
  }
}

/** The model of a project's files. */
export const loadModel = async (): Promise<ConfigurationModel> =>
  definitionOf(await loadGenerations({ systemPrefix: 'platform_' })).configurationModel

type Definition = GenerationDefinition & { readonly configurationModel: ConfigurationModel }

function definitionOf(generations: readonly GenerationDefinition[]): Definition {
  const definition = generations.find((each): each is Definition => each.configurationModel !== undefined)
  if (definition === undefined) throw new Error('No generation supports projects as files')
  return definition
}
