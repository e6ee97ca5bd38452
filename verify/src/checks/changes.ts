/** Changes as Server-Sent Events, read as clients do that come back: what was missed, and no stream that goes on. */
import type { Exchange } from '../http/exchange.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import { createDraft, draftsPath } from './drafts.ts'
import type { Row } from './listing.ts'

type ReceivedEvent = { readonly id: string | null; readonly event: string; readonly data: unknown }

/** The events of an answer (HTML standard, section 9.2). */
const eventsOf = ({ text }: Exchange): readonly ReceivedEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block.trim() !== '' && !block.startsWith(':'))
    .map((block) => {
      const lines = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
      const data = lines.get('data') ?? 'null'
      return { id: lines.get('id') ?? null, event: lines.get('event') ?? 'message', data: JSON.parse(data) as unknown }
    })

async function placeOf(trial: Trial, query: Row): Promise<string> {
  const exchange = await trial.ask(`GET ${draftsPath(trial)}/changes`, { query })
  expectStatus(exchange, 200)
  const [first] = eventsOf(exchange)
  expectSame(exchange, 'The first event is not ready', first?.event, 'ready')
  expectThat(exchange, 'The first event has an id', first?.id != null, first?.id)
  return first?.id ?? ''
}

const missedSince = (trial: Trial, id: string, query: Row): Promise<Exchange> =>
  trial.ask(`GET ${draftsPath(trial)}/changes`, { query, headers: { 'last-event-id': id } })

const toldOf = (exchange: Exchange): readonly unknown[] =>
  eventsOf(exchange)
    .slice(1)
    .map(({ event, data }) => [event, data])

export const changesChecks: readonly Check[] = checksOf('items', 'world', [
  statement('readItemChanges', 'each change of an item is told once, in its order', async (trial) => {
    const title = trial.mark()
    const query = { fields: 'id,views', filter: { title: { _eq: title } } }
    const position = await placeOf(trial, query)
    const { id } = await createDraft(trial, { title, views: 1 })
    for (const views of [2, 3]) await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { views } })
    await trial.ask(`DELETE ${draftsPath(trial)}/${id}`)
    const exchange = await missedSince(trial, position, query)
    expectSame(exchange, 'Other changes are told', toldOf(exchange), [
      ['create', { id, views: 1 }],
      ['update', { id, views: 2 }],
      ['update', { id, views: 3 }],
      ['delete', id],
    ])
    const last = eventsOf(exchange).at(-1)?.id ?? ''
    const again = await missedSince(trial, last, query)
    expectSame(again, 'Changes are told again', toldOf(again), [])
  }),
  statement(
    'readItemChanges',
    'an item that begins to match is created, one that no longer matches is deleted',
    async (trial) => {
      const title = trial.mark()
      const query = { fields: 'id', filter: { title: { _eq: title }, views: { _gt: 5 } } }
      const { id } = await createDraft(trial, { title, views: 1 })
      const position = await placeOf(trial, query)
      for (const views of [2, 7, 3]) await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { views } })
      const exchange = await missedSince(trial, position, query)
      expectSame(exchange, 'Other changes are told', toldOf(exchange), [
        ['create', { id }],
        ['delete', id],
      ])
    },
  ),
  statement('readItemChanges', 'nobody is told of items that it may not read', async (trial) => {
    const exchange = await trial.ask(`GET ${draftsPath(trial)}/changes`, { as: 'public' })
    expectStatus(exchange, 403)
  }),
])
