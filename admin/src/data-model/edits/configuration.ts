/** The data model as the files of a project have it: several changes of it are planned, and made in one transaction. */
import { client } from '../../client.ts'

export type FieldEntry = { readonly type?: string; readonly [part: string]: unknown }

export type Entry = {
  readonly fields: { readonly [field: string]: FieldEntry }
  readonly [part: string]: unknown
}

export type Collections = { readonly [collection: string]: Entry }

export type Affected = { readonly client: string; readonly operation: string; readonly path: string }

export type Planned = { readonly words: string; readonly severity: string; readonly clients: readonly Affected[] }

type Configuration = { readonly collections: Collections }

const path = '/configuration'

/** The whole configuration of the project. */
export const readConfiguration = async (): Promise<Configuration> =>
  (await client.request<{ readonly data: Configuration }>({ method: 'GET', path })).data

/** What would change. `prune`: what the configuration does not have is deleted. */
export async function planConfiguration(configuration: Configuration, prune: boolean): Promise<readonly Planned[]> {
  type Plan = { readonly data: { readonly changes: readonly Planned[] } }
  const operation = { method: 'POST', path: `${path}/plan` }
  return (await client.request<Plan>(operation, { body: { configuration, prune } })).data.changes
}

/** Adds to the model, all of it or nothing. `edit` returns the collections that are new or changed. */
export async function addToModel(edit: (collections: Collections) => Collections): Promise<void> {
  const configuration = { collections: edit((await readConfiguration()).collections) }
  const changes = (await planConfiguration(configuration, false)).map(({ words }) => words)
  await client.request({ method: 'POST', path: `${path}/apply` }, { body: { configuration, changes } })
}
