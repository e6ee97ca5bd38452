/** Events restore rows with the values of all plain types, also where history has written their JSON. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const tables = `create table kinds (
  id serial primary key, short text, fixed char(5), name varchar(40), ref uuid, yes boolean, small smallint, number integer,
  big bigint, exact numeric(30,10), free numeric, single real, twice double precision, day date, at timestamp,
  moment timestamptz, plain json, data jsonb
); create table stamps (id bytea primary key, name text)`

const own = await openOwnDatabase(tables)
afterAll(() => own.close())

const full = {
  short: 'quo"te \\ \u0001 ü 🎉\n',
  fixed: 'ab',
  name: "it's",
  ref: '0f0e0d0c-0b0a-4908-8706-050403020100',
  yes: false,
  small: -32768,
  number: 2147483647,
  big: '9223372036854775807',
  exact: '12345678901234567890.0123456789',
  free: '0.000000000000000000000000000000000000000001',
  single: 3.5,
  twice: 0.1,
  day: '0001-01-01',
  at: '2026-02-03T04:05:06.000007',
  moment: '2026-02-03T04:05:06.123456Z',
  plain: { a: [1, null, '2'], long: 1e-7 },
  data: [true, { b: null }],
}
const rest = { yes: true, number: 0, day: '9999-12-31', moment: '1900-01-01T00:00:00Z', plain: 'text', data: 0 }

/** The row that an event restores. */
const kept = (side: string) => `json_populate_record(null::kinds, e.${side})::text`

test('an event holds each value of its row', async () => {
  const listening = new AbortController()
  const headers = { authorization: `Bearer ${own.adminToken}`, accept: 'text/event-stream' }
  const answer = await fetch(`${own.url}/items/kinds/changes`, { headers, signal: listening.signal })
  expect(answer.status).toBe(200)
  await answer.body?.getReader().read()
  const ask = async (request: string, body: unknown): Promise<void> => {
    const { status, body: told } = await own.ask(request, { body })
    expect(status, JSON.stringify(told)).toBe(200)
  }
  for (const body of [full, [full, rest, { short: '' }]]) await ask('POST /items/kinds', body)
  await ask('PATCH /items/kinds/1', rest)
  await ask('PATCH /items/kinds', [
    { id: 2, ...rest },
    { id: 3, short: 'x', moment: null },
  ])
  const events = await own.rows(`select e.item, e.action, ${kept('before')} as before, ${kept('after')} as after
    from platform_events e where e.collection = 'kinds' order by e.id`)
  expect(events).toHaveLength(7)
  const rows = await own.rows('select id::text as item, k::text as "row" from kinds k')
  const states = new Map<unknown, unknown>()
  for (const { item, action, before, after } of events) {
    if (action === 'update') expect(before).toBe(states.get(item))
    states.set(item, after)
  }
  expect(states).toEqual(new Map(rows.map(({ item, row }) => [item, row])))
  const [created] = await own.rows(`select after::jsonb = data::jsonb as same, after::text like '%"fixed":"ab%' as whole
    from platform_events e join platform_revisions r on r.item = e.item and r.collection = e.collection
    where e.item = '1' order by e.id, r.id limit 1`)
  expect(created).toEqual({ same: true, whole: true })
  listening.abort()
})

test('the key of bytes is told as the API has it', async () => {
  const listening = new AbortController()
  const headers = { authorization: `Bearer ${own.adminToken}`, accept: 'text/event-stream' }
  const answer = await fetch(`${own.url}/items/stamps/changes`, { headers, signal: listening.signal })
  const events = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const until = async (kind: string): Promise<string | undefined> => {
    const event = new RegExp(`event: ${kind}\\ndata: (.*)\\n`)
    let text = ''
    while (!event.test(text)) text += (await events?.read())?.value
    return event.exec(text)?.[1]
  }
  await until('ready')
  const id = Buffer.from([255, 0, 254]).toString('base64')
  await own.ask('POST /items/stamps', { body: { id, name: 'a' } })
  await own.ask(`DELETE /items/stamps/${encodeURIComponent(id)}`)
  expect(await until('delete')).toBe(JSON.stringify(id))
  listening.abort()
})
