/** What a watched table tells after its columns have changed, by the API and by SQL. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readWatched } from '../../sql/statements/feed/events.ts'
import { watchTable } from '../../sql/statements/feed/watch.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { openTestModel, tableOf } from '../testing/test-model.ts'
import { updateFields } from './change-fields.ts'
import { createCollections, deleteCollections } from './collections.ts'
import { createFields, deleteFields } from './fields.ts'

let count = 0
let name = ''

const model = await openTestModel()
await model.rowsOf(`update platform_feed set until = '2037-01-01'`)
afterAll(() => model.close())
beforeEach(async () => {
  name = `watched_${(count += 1)}`
  const fields = [
    { name: 'title', type: 'string' },
    { name: 'size', type: 'integer' },
  ]
  await model.change((inner) => createCollections(inner, [tableOf(name, fields)]))
  await watch()
})

const watch = async (table = name): Promise<void> => {
  const collection = (await model.refresh()).collections.get(table)
  if (collection === undefined) throw new Error(`There is no ${table}`)
  await watchTable(model.ctx().db, collection)
}

/** Writes a row by SQL; returns the rows that the feed has of the collection after it. */
async function eventsOfInsert(columns: string, values: string, table = name): Promise<readonly unknown[]> {
  await model.rowsOf('delete from platform_events')
  await model.rowsOf(`insert into ${table} (${columns}) values (${values})`)
  const rows = (await model.rowsOf('select collection, "after" from platform_events order by id')) as readonly {
    readonly collection: string
    readonly after: unknown
  }[]
  return rows.map(({ collection, after }) => [
    collection,
    typeof after === 'string' ? (JSON.parse(after) as unknown) : after,
  ])
}

test('a column that is deleted, added or changed by the API', async () => {
  await model.change((inner) => deleteFields(inner, name, ['size']))
  expect(await eventsOfInsert('title', `'a'`)).toEqual([[name, { id: 1, title: 'a' }]])
  await model.change((inner) => createFields(inner, name, [{ name: 'rank', type: 'integer' }]))
  expect(await eventsOfInsert('title, "rank"', `'b', 2`)).toEqual([[name, { id: 2, title: 'b', rank: 2 }]])
  await model.change((inner) => updateFields(inner, name, [{ name: 'rank', type: 'string' }]))
  expect(await eventsOfInsert('title, "rank"', `'c', '3'`)).toEqual([[name, { id: 3, title: 'c', rank: '3' }]])
})

test('a field that becomes a secret is recorded no more', async () => {
  await model.change((inner) => updateFields(inner, name, [{ name: 'title', meta: { special: ['conceal'] } }]))
  expect(await eventsOfInsert('title, size', `'secret', 1`)).toEqual([[name, { id: 1, size: 1 }]])
})

test('a table that is deleted leaves nothing', async () => {
  await model.change((inner) => deleteCollections(inner, [name]))
  expect(await readWatched(model.ctx().db)).not.toContain(name)
  const functions = perVendor({
    postgres: `select proname from pg_proc where proname like 'platform|_watch|_%' escape '|' and prosrc like '%''${name}''%'`,
    mariadb: `select trigger_name from information_schema.triggers where event_object_table = '${name}'`,
  })
  expect(await model.rowsOf(functions)).toEqual([])
})

test('a column that SQL drops or renames does not keep rows from being written', async () => {
  await model.rowsOf(`alter table ${name} drop column size`)
  await eventsOfInsert('title', `'a'`)
  expect(await model.rowsOf(`select title from ${name}`)).toEqual([{ title: 'a' }])
  await watch()
  expect(await eventsOfInsert('title', `'b'`)).toEqual([[name, { id: 2, title: 'b' }]])
  await model.rowsOf(`alter table ${name} rename column title to heading`)
  await eventsOfInsert('heading', `'c'`)
  await watch()
  expect(await eventsOfInsert('heading', `'d'`)).toEqual([[name, { id: 4, heading: 'd' }]])
})

test('a table that SQL renames is watched once under its new name', async () => {
  await model.rowsOf(`alter table ${name} rename to ${name}_b`)
  await watch(`${name}_b`)
  expect(await eventsOfInsert('title, size', `'a', 1`, `${name}_b`)).toEqual([
    [`${name}_b`, { id: 1, title: 'a', size: 1 }],
  ])
  expect(await readWatched(model.ctx().db)).toContain(`${name}_b`)
})
