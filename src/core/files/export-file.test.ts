import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { createMemoryLocations, listAll } from '../../storage/test-storage.ts'
import { writeAlone } from '../batch/received.ts'
import { openExport } from '../items/export-items.ts'
import { changesOf, failuresOf, openTestWorld, queryOf, userWith } from '../testing/test-context.ts'
import { type FileExport, receiveExport } from './export-file.ts'

let ctx: Context

const world = await openTestWorld()
await world.rowsOf(`insert into tags (name) select 'bulk ' || n from generate_series(1, 20000) n`)
afterAll(() => world.close())
beforeEach(async () => {
  await world.rowsOf('delete from platform_notifications')
  await world.rowsOf('delete from platform_files')
  await world.rowsOf('delete from platform_stored_objects')
  ctx = { ...world.ctx, ids: { ...world.ctx.ids, uuid: () => crypto.randomUUID() }, storage: createMemoryLocations() }
})

const all = queryOf('tags', { page: { limit: null, offset: 0 } })
const asked = { query: all, format: 'csv', filename: 'export-tags.csv' } as const
const exportTo = (of: Context, what: FileExport, changes: Changes) => writeAlone(of, receiveExport(of, what, changes))
const local = (): Storage => ctx.storage.locations.get('local') as Storage

async function expectNothing(): Promise<void> {
  expect(await world.rowsOf('select id from platform_files')).toEqual([])
  expect(await world.rowsOf('select key from platform_stored_objects')).toEqual([])
  expect(await world.rowsOf('select id from platform_notifications')).toEqual([])
  expect(await listAll(local(), '')).toEqual([])
}

test('the file holds what a client would get, and has the given properties', async () => {
  await exportTo(ctx, asked, changesOf({ title: 'Tags' }))
  const [row] = (await world.rowsOf('select title, type, filename_download, filename_disk from platform_files')) as [
    { readonly filename_disk: string },
  ]
  expect(row).toMatchObject({ title: 'Tags', type: 'text/csv', filename_download: 'export-tags.csv' })
  const parts: string[] = []
  await openExport(ctx, all, 'csv').produce(async (piece) => void parts.push(piece))
  expect((await buffer(await local().read(row.filename_disk))).toString()).toBe(parts.join(''))
})

test('a file that grows too large is refused, and leaves nothing; the next one is written', async () => {
  const small: Context = { ...ctx, files: { ...ctx.files, maxSize: 100_000 } }
  expect(await failuresOf(exportTo(small, asked, new Map()))).toMatchObject([{ kind: 'content-too-large' }])
  await expectNothing()
  await exportTo(ctx, asked, new Map())
  expect(await world.rowsOf('select title from platform_files')).toHaveLength(1)
})

test.for([
  ['files may not be created', userWith([{ collection: 'tags', action: 'read' }])],
  ['items may not be read', userWith([{ collection: 'platform_files', action: 'create' }])],
] as const)('%s: nothing is written', async ([, actor]) => {
  expect(await failuresOf(exportTo({ ...ctx, actor }, asked, new Map()))).toMatchObject([{ kind: 'forbidden' }])
  await expectNothing()
})
