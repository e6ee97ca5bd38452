/** Random batches beside a model of what they do: all of a batch, or nothing. `BATCH_PROGRAMS` is their number, `BATCH_SEED` the first seed. */
import { afterAll, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'
import { createRandom } from './random.ts'

const tables = `
  create table things (code text primary key, n integer, note text unique);
  insert into platform_collections (collection, singleton, accountability) values ('things', false, 'all')`

/** The connection dies where a row with the note "die" is inserted. */
const deaths = perVendor({
  postgres: `create function die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger die before insert on things for each row when (new.note = 'die') execute function die()`,
  mariadb: `create trigger die before insert on things for each row
    if new.note = 'die' then kill connection_id(); end if`,
})

const programs = Number(process.env['BATCH_PROGRAMS'] ?? 60)
const firstSeed = Number(process.env['BATCH_SEED'] ?? Date.now() % 1_000_000)

console.info(`BATCH_SEED=${firstSeed}`)
const own = await openOwnDatabase(tables, {}, { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} })
await own.db.run({ text: deaths, values: [] })
const other = (await own.openReplica()).ask
afterAll(() => own.close())

type Thing = { readonly code: string; readonly n: number; readonly note: string | null }
type State = ReadonlyMap<string, Thing>
type Operation = { readonly [key: string]: unknown }
/** The state after an operation and the item that it answers with; null if it fails. */
type Outcome = { readonly state: State; readonly item: Thing | null } | null

const isTaken = (state: State, { code, note }: Thing): boolean =>
  note !== null && [...state.values()].some((each) => each.note === note && each.code !== code)

function put(state: State, thing: Thing): Outcome {
  return isTaken(state, thing) ? null : { state: new Map([...state, [thing.code, thing]]), item: thing }
}

const path = '/items/things'

/** Draws an operation. Returns it and what it does to a state, given the items that earlier ones were answered with. */
function drawOperation(draw: (below: number) => number, earlier: readonly (Thing | null)[]) {
  const code = `c${draw(6)}`
  const note = draw(3) === 0 ? `note ${draw(5)}` : null
  const source = draw(2) === 0 ? earlier.findLastIndex((each) => each !== null) : -1
  const n = source < 0 ? draw(100) : (earlier[source] as Thing).n
  const body = { n: source < 0 ? n : { $ref: `${source}.data.n` }, note }
  const whole = { code, n, note }
  const one = { parameters: { collection: 'things', id: code } }
  const kinds: readonly (readonly [Operation, (state: State) => Outcome])[] = [
    [{ method: 'POST', path, body: { code, ...body } }, (state) => (state.has(code) ? null : put(state, whole))],
    [{ method: 'POST', path: `${path}?on_conflict=code`, body: { code, ...body } }, (state) => put(state, whole)],
    [{ operation: 'updateItem', ...one, body }, (state) => (state.has(code) ? put(state, whole) : null)],
    [
      { operation: 'deleteItem', ...one },
      (state) =>
        state.has(code) ? { state: new Map([...state].filter(([each]) => each !== code)), item: null } : null,
    ],
  ]
  return kinds[[0, 1, 1, 1, 2, 2, 3][draw(7)] as number] as (typeof kinds)[number]
}

/** A program, the state after it (the same as before if it fails), and the position that fails. */
function drawProgram(draw: (below: number) => number, before: State) {
  const operations: Operation[] = []
  const items: (Thing | null)[] = []
  let state = before
  let failing: number | null = null
  const length = 1 + draw(8)
  while (operations.length < length) {
    const [operation, apply] = drawOperation(draw, failing === null ? items : [])
    const outcome = failing === null ? apply(state) : null
    if (failing === null && outcome === null) failing = operations.length
    operations.push(operation)
    items.push(outcome?.item ?? null)
    state = outcome?.state ?? state
  }
  return { operations, items, failing, state: failing === null ? state : before }
}

const stored = async (): Promise<readonly unknown[]> => own.rows('select code, n, note from things order by code')
const inOrder = (state: State): readonly Thing[] => [...state.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))

async function historyCount(): Promise<number> {
  const [{ n } = {}] = await own.rows('select count(*)::int as n from platform_activity')
  return n as number
}

test(
  'random programs leave what a model leaves, and answer what it answers',
  async () => {
    const { below: draw } = createRandom(firstSeed)
    let state: State = new Map()
    for (let at = 0; at < programs; at += 1) {
      const program = drawProgram(draw, state)
      const isDry = draw(5) === 0
      const entries = await historyCount()
      const headers = { 'idempotency-key': `program-${at}` }
      const asked = { body: { operations: program.operations, dry_run: isDry }, headers }
      const { status, body } = await (draw(2) === 0 ? own.ask : other)('POST /batch', asked)
      const told = `BATCH_SEED=${firstSeed}, program ${at}: ${JSON.stringify(asked.body)}`
      const { data, error } = body as { data?: { body: { data: unknown } | null }[]; error?: { operation?: number } }
      expect([status === 200, error?.operation ?? null], told).toEqual([program.failing === null, program.failing])
      if (data !== undefined)
        expect(
          data.map((each) => each.body?.data ?? null),
          told,
        ).toEqual(program.items)
      if (!isDry) state = program.state
      expect(await stored(), told).toEqual(inOrder(state))
      const isDone = program.failing === null && !isDry
      expect(await historyCount(), told).toBe(entries + (isDone ? program.operations.length : 0))
      if (program.failing !== null) continue
      const again = await other('POST /batch', asked)
      expect([again.body, again.headers.get('idempotency-replayed')], told).toEqual([body, 'true'])
      expect(await stored(), told).toEqual(inOrder(state))
    }
  },
  30_000 + programs * 250,
)

// The embedded database has no connection that could die.
const testOnServer = process.env['TEST_DATABASE_URL'] === undefined ? () => {} : test

testOnServer('a connection that dies at any point leaves nothing', async () => {
  await own.rows('truncate things')
  const count = 8
  for (let point = 0; point < count; point += 1) {
    const operations = Array.from({ length: count }, (_, at) => ({
      method: 'POST',
      path,
      body: { code: `k${at}`, n: at, note: at === point ? 'die' : null },
    }))
    const headers = { 'idempotency-key': `dies-${point}` }
    const { status } = await own.ask('POST /batch', { body: { operations }, headers })
    expect([status, await stored()], `point ${point}`).toEqual([503, []])
  }
  expect(await own.rows("select key from platform_idempotency_keys where key like 'dies-%'")).toEqual([])
})
