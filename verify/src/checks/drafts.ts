/** What checks of writes have in common: each writes only its own drafts. */
import type { Exchange } from '../http/exchange.ts'
import type { Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus } from '../run/mismatch.ts'
import type { Row } from './listing.ts'

export const draftsPath = ({ world }: Trial): string => `/items/${world.names.drafts}`

/** Values of every kind, as they are written and read. */
export const fullDraft = {
  label: 'Grün & "quoted"',
  views: -3,
  rating: 2.25,
  price: '1234567.89',
  big: '9007199254740993',
  live: true,
  day: '2024-02-29',
  at: '2025-12-31T23:59:58',
  stamp: '2025-06-30T12:00:00.000Z',
  clock: '08:09:10',
  data: { nested: { list: [1, 'two', null, false], text: '{}' } },
  uid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  secret: 'kept',
} as const

export const createDraft = async (trial: Trial, body: Row): Promise<Row & { readonly id: number }> =>
  dataOf(await trial.ask(`POST ${draftsPath(trial)}`, { body }))

/** The draft as it is stored; it has to exist. */
export async function readDraft(trial: Trial, id: unknown): Promise<Row> {
  return dataOf<Row>(await trial.ask(`GET ${draftsPath(trial)}/${String(id)}`))
}

export async function draftsTitled(trial: Trial, title: string): Promise<readonly Row[]> {
  const query = { filter: { title: { _eq: title } }, sort: 'id', limit: -1 }
  return dataOf<readonly Row[]>(await trial.ask(`GET ${draftsPath(trial)}`, { query }))
}

/** Fails unless the named values are stored. */
export async function expectStored(
  trial: Trial,
  id: unknown,
  values: Row,
  exchange: Exchange | null = null,
): Promise<void> {
  const read = await trial.ask(`GET ${draftsPath(trial)}/${String(id)}`)
  const row = dataOf<Row>(read)
  const stored = Object.fromEntries(Object.keys(values).map((name) => [name, row[name]]))
  expectSame(exchange ?? read, 'What is read is not what was written', stored, values)
}

/** Fails unless the draft is gone. */
export async function expectGone(trial: Trial, id: unknown): Promise<void> {
  expectStatus(await trial.ask(`GET ${draftsPath(trial)}/${String(id)}`), 403, 404)
}
