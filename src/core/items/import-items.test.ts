import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { ReadableFormat } from '../../exchange/read-rows.ts'
import { writeAlone } from '../batch/received.ts'
import { changesOf, failuresOf, is, openTestWorld, testUser, userWith } from '../testing/test-context.ts'
import { type ImportSource, type ImportTarget, receiveItems } from './import-items.ts'
import { writeItems } from './items.ts'

const world = await openTestWorld()
const ctx = world.ctx
afterAll(() => world.close())

const importItems = (by: Context, ...given: [ImportSource, ImportTarget]) => writeAlone(by, receiveItems(by, ...given))
const load = (name: string, text: string, format: ReadableFormat = 'csv', asker: Context = ctx) =>
  importItems(
    asker,
    { stream: Readable.from([Buffer.from(text)]), format },
    { collection: asker.schema.collections.get(name) as Collection, parse: changesOf },
  )
const names = () => world.rowsOf('select id, name, age from authors order by id')

test('rows with the key of an item update it, others are created', async () => {
  await load('authors', 'id,name,age\n1,Anna,\n,Zoe,30\n77,Nia,31\n77,Nina,\n')
  const rows = (await names()) as readonly { readonly id: number; readonly name: string; readonly age: number | null }[]
  expect(rows.find(({ id }) => id === 1)?.name).toBe('Anna')
  expect(rows.find(({ id }) => id === 77)).toEqual({ id: 77, name: 'Nina', age: 31 })
  expect(rows.find(({ name }) => name === 'Zoe')?.age).toBe(30)
})

test('more rows than go together are one transaction: the last one takes all with it', async () => {
  const before = await world.rowsOf('select count(*) from tags')
  const rows = Array.from({ length: 1100 }, (_, index) => ({ name: `tag ${index}` }))
  const failures = await failuresOf(load('tags', JSON.stringify([...rows, { name: 'x'.repeat(60) }]), 'json'))
  expect(failures).toMatchObject([{ field: 'rows.1101.name' }])
  expect(await world.rowsOf('select count(*) from tags')).toEqual(before)
  await load('tags', JSON.stringify(rows), 'json')
  expect(await world.rowsOf(`select count(*)::int as count from tags where name like 'tag %'`)).toEqual([
    { count: 1100 },
  ])
})

test.for([
  ['a value that is none of its field', 'id,name,age\n,Zoe,old\n', 'rows.1.age'],
  ['a key that cannot be one', 'id,name\nx,Zoe\n', 'rows.1.id'],
  ['too many cells', 'name\nZoe\nZoe,1\n', 'rows.2'],
  ['a column twice', 'name,name\nZoe,Zoe\n', 'file'],
] as const)('%s is told with its row', async ([, text, place]) => {
  const before = await names()
  const [failure] = (await failuresOf(load('authors', text))) as readonly { name?: string; field?: string }[]
  expect(failure?.name ?? failure?.field).toBe(place)
  expect(await names()).toEqual(before)
})

test('a dry run goes on after refused rows, also in a later batch, and undoes what it did', async () => {
  const before = await world.rowsOf('select count(*) from tags')
  const rows = Array.from({ length: 600 }, (_, index) => ({ name: `try ${index}` }))
  const text = JSON.stringify([{ name: 'x'.repeat(60) }, ...rows, { name: 'x'.repeat(60) }, 'none'])
  const received = await receiveItems(
    ctx,
    { stream: Readable.from([Buffer.from(text)]), format: 'json' },
    { collection: ctx.schema.collections.get('tags') as Collection, parse: changesOf },
  )
  const report = await received.try(ctx)
  await received.end(false)
  expect(report).toMatchObject({ created: 600, updated: 0, refused: 3 })
  expect(report.rows).toHaveLength(103)
  expect(report.rows.filter(({ action }) => action === 'refuse').map(({ row }) => row)).toEqual([1, 602, 603])
  expect(await world.rowsOf('select count(*) from tags')).toEqual(before)
})

test('a file that is too large is refused', async () => {
  const failures = await failuresOf(load('authors', `name\n${'x'.repeat(100_001)}`))
  expect(failures).toEqual([{ kind: 'content-too-large', limit: 100_000 }])
})

test('while rows are written nothing is in the folder of the system that a killed process would leave', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  vi.stubEnv('TMPDIR', folder)
  const seen: (readonly string[])[] = []
  const write: typeof writeItems = (...given) => {
    seen.push(readdirSync(folder))
    return writeItems(...given)
  }
  const collection = ctx.schema.collections.get('tags') as Collection
  const stream = Readable.from([Buffer.from('name\nunnamed\n')])
  await importItems(ctx, { stream, format: 'csv' }, { collection, parse: changesOf, write })
  expect(seen).toEqual([[]])
  expect(await world.rowsOf(`select name from tags where name = 'unnamed'`)).toHaveLength(1)
})

test('an import needs the rights to create and to update, and respects their row filters', async () => {
  const rule = { collection: 'authors' } as const
  const only = (action: 'create' | 'update') => ({ ...ctx, actor: userWith([{ ...rule, action }]) })
  expect(await failuresOf(load('authors', 'name\nA', 'csv', only('create')))).toMatchObject([{ kind: 'forbidden' }])
  expect(await failuresOf(load('authors', 'name\nA', 'csv', only('update')))).toMatchObject([{ kind: 'forbidden' }])
  const rules = [
    { ...rule, action: 'create' },
    { ...rule, action: 'update', filter: is('id', 1) },
  ] as const
  const both = { ...ctx, actor: userWith(rules) }
  expect(await failuresOf(load('authors', 'id,name\n1,Ann\n2,Bob', 'csv', both))).toMatchObject([
    { kind: 'item-not-found' },
  ])
})

test('a client that goes away changes nothing', async () => {
  const before = await names()
  const stream = new Readable({
    read() {
      this.push('name\nZoe\n')
      this.destroy(new Error('gone'))
    },
  })
  const target = { collection: ctx.schema.collections.get('authors') as Collection, parse: changesOf }
  await expect(importItems(ctx, { stream, format: 'csv' }, target)).rejects.toThrow('gone')
  expect(await names()).toEqual(before)
})

test('rights that came with a file are looked up again once it is written, and not before', async () => {
  const seen: number[] = []
  const asker: Context = {
    ...ctx,
    ids: { ...ctx.ids, uuid: () => crypto.randomUUID() },
    forgetActors: async () =>
      void seen.push((await world.rowsOf(`select 1 from platform_roles where name = 'Of a file'`)).length),
  }
  await load('platform_roles', 'name\nOf a file\n', 'csv', asker)
  expect(seen).toEqual([1])
  await load('tags', 'name\nred\n', 'csv', asker)
  expect(seen).toEqual([1])
})

test('the last administrator stays one, whatever a file says', async () => {
  await world.rowsOf(
    `update platform_users set role = '${seedIds.administratorRole}', password = 'x' where id = '${testUser}'`,
  )
  const failures = await failuresOf(load('platform_users', `id,status\n${testUser},suspended\n`))
  expect(failures).toMatchObject([{ kind: 'last-administrator' }])
})
