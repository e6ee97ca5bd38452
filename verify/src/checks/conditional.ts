/** ETag, If-None-Match and If-Match. */
import type { Exchange } from '../http/exchange.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import { createDraft, draftsPath, expectStored } from './drafts.ts'

function tagOf(exchange: Exchange): string {
  expectStatus(exchange, 200)
  const tag = exchange.headers.get('etag')
  expectThat(exchange, 'The answer has an ETag', tag !== null && tag !== '')
  return tag ?? ''
}

const made = async (trial: Trial): Promise<string> => {
  const { id } = await createDraft(trial, { title: trial.mark(), views: 1 })
  return `${draftsPath(trial)}/${id}`
}

const idOf = (path: string): string => path.split('/').at(-1) ?? ''

export const conditionalChecks: readonly Check[] = checksOf('items', 'world', [
  statement('readItem', 'an unchanged item is answered with 304, a changed one is not', async (trial) => {
    const path = await made(trial)
    const tag = tagOf(await trial.ask(`GET ${path}`))
    const same = await trial.ask(`GET ${path}`, { headers: { 'if-none-match': tag } })
    expectSame(same, 'The unchanged item is sent again', same.status, 304)
    expectStatus(await trial.ask(`PATCH ${path}`, { body: { views: 2 } }), 200)
    const changed = await trial.ask(`GET ${path}`, { headers: { 'if-none-match': tag } })
    expectStatus(changed, 200)
    expectThat(changed, 'A changed item has another ETag', tagOf(changed) !== tag, tag)
  }),
  statement('readItems', 'a changed list has another ETag', async (trial) => {
    const title = trial.mark()
    const { id } = await createDraft(trial, { title, views: 1 })
    const query = { fields: 'id,views', filter: { title: { _eq: title } } }
    const tag = tagOf(await trial.ask(`GET ${draftsPath(trial)}`, { query }))
    expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { views: 2 } }), 200)
    const changed = await trial.ask(`GET ${draftsPath(trial)}`, { query, headers: { 'if-none-match': tag } })
    expectStatus(changed, 200)
    expectThat(changed, 'A changed list has another ETag', tagOf(changed) !== tag, tag)
  }),
  statement('updateItem', 'a conditional update succeeds only while the item is unchanged', async (trial) => {
    const path = await made(trial)
    const tag = tagOf(await trial.ask(`GET ${path}`))
    expectStatus(await trial.ask(`PATCH ${path}`, { body: { views: 2 }, headers: { 'if-match': tag } }), 200)
    const late = await trial.ask(`PATCH ${path}`, { body: { views: 3 }, headers: { 'if-match': tag } })
    expectStatus(late, 412)
    await expectStored(trial, idOf(path), { views: 2 }, late)
    expectStatus(await trial.ask(`PATCH ${path}`, { body: { views: 4 }, headers: { 'if-match': '*' } }), 200)
    await expectStored(trial, idOf(path), { views: 4 })
  }),
  statement('updateItem', 'one of many concurrent conditional updates succeeds', async (trial) => {
    const path = await made(trial)
    const headers = { 'if-match': tagOf(await trial.ask(`GET ${path}`)) }
    const all = await Promise.all(
      [11, 12, 13, 14].map((views) => trial.ask(`PATCH ${path}`, { body: { views }, headers })),
    )
    const statuses = all.map(({ status }) => status).toSorted((a, b) => a - b)
    expectSame(all[0] ?? null, 'More or less than one update succeeds', statuses, [200, 412, 412, 412])
  }),
  statement('deleteItem', 'a changed item is not deleted conditionally', async (trial) => {
    const path = await made(trial)
    const tag = tagOf(await trial.ask(`GET ${path}`))
    expectStatus(await trial.ask(`PATCH ${path}`, { body: { views: 2 } }), 200)
    expectStatus(await trial.ask(`DELETE ${path}`, { headers: { 'if-match': tag } }), 412)
    const present = tagOf(await trial.ask(`GET ${path}`))
    expectStatus(await trial.ask(`DELETE ${path}`, { headers: { 'if-match': present } }), 204)
    expectStatus(await trial.ask(`GET ${path}`), 403, 404)
  }),
])
