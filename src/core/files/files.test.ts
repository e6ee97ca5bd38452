import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import type { Part } from '../../domain/ports/uploads.ts'
import type { Changes, Mutation } from '../../domain/query/mutation.ts'
import { createMemoryLocations, createMemoryStorage, listAll } from '../../storage/test-storage.ts'
import { writeAlone } from '../batch/received.ts'
import { writeItems } from '../items/items.ts'
import { deleteDoomed, keeperOf, repairObjects, writeGrace } from '../objects/stored-objects.ts'
import { sweepFiles } from '../objects/sweep-files.ts'
import { inOneAttempt, withTransaction } from '../rows/transaction.ts'
import { erase, nested } from '../testing/test-changes.ts'
import { changesOf, failuresOf, is, openTestWorld, queryOf, userWith } from '../testing/test-context.ts'
import { receiveParts, receiveReplacement, registerFile } from './files.ts'

let ctx: Context

const world = await openTestWorld()
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['files', 'stored_objects']) await world.rowsOf(`delete from platform_${table}`)
  const ids = { ...world.ctx.ids, uuid: () => crypto.randomUUID() }
  ctx = { ...world.ctx, ids, storage: createMemoryLocations() }
})

const local = (of: Context = ctx): Storage => of.storage.locations.get('local') as Storage
const value = (name: string, said: string): Part => ({ kind: 'value', name, value: said })
const file = (contents: string, filename: string | null = 'a_note.txt', type = 'text/plain'): Part => ({
  kind: 'file',
  name: 'file',
  filename,
  type,
  stream: Readable.from([Buffer.from(contents)]),
})
async function* parts(...all: readonly Part[]): AsyncGenerator<Part> {
  yield* all
}
const read = (said: object): Changes => changesOf(said as { readonly [field: string]: unknown })
const register = (filename_disk: string, more: object = {}) =>
  registerFile(ctx, read({ type: 'text/plain', filename_disk, title: 'Mine', ...more }))
const upload = (of: Context, ...all: readonly Part[]) => writeAlone(of, receiveParts(of, parts(...all), read))
const replace = (of: Context, key: unknown, ...all: readonly Part[]) =>
  writeAlone(of, receiveReplacement(of, key as string, { parts: parts(...all), read }))

type FileRow = { id: string; title: string; filename_disk: string; type: string; filesize: string }
const filesNow = async (): Promise<readonly FileRow[]> =>
  (await world.rowsOf('select * from platform_files order by title')) as readonly FileRow[]
const journal = () => world.rowsOf('select storage, key, doomed from platform_stored_objects')
const objects = async (of: Context = ctx): Promise<readonly string[]> =>
  (await listAll(local(of), '')).map(({ key }) => key).toSorted()
const expectNothing = async (): Promise<void> => {
  expect([await filesNow(), await journal(), await objects()]).toEqual([[], [], []])
}

test('each file gets what stands before it, and what its contents say', async () => {
  await upload(
    ctx,
    value('title', 'One'),
    value('description', 'null'),
    file('first'),
    file('second!', 'b-c.d.html', 'text/html'),
  )
  const rows = await filesNow()
  expect(rows).toMatchObject([
    { title: 'B C.d', filename_download: 'b-c.d.html', type: 'text/html', filesize: '7', storage: 'local' },
    { title: 'One', filename_download: 'a_note.txt', type: 'text/plain', filesize: '5', description: null },
  ])
  expect(await text(await local().read(rows[1]?.filename_disk as string))).toBe('first')
  expect(await objects()).toEqual(rows.map((row) => row.filename_disk).toSorted())
  expect(rows.every((row) => row.filename_disk.startsWith(row.id))).toBe(true)
  expect(await journal()).toEqual([])
})

test.each([
  ['no file', [value('title', 'x')]],
  ['a late value', [file('x'), value('title', 'x')]],
  ['a value twice', [value('title', 'x'), value('title', 'y'), file('x')]],
  ['a file without a name', [file('x', null)]],
  ['a name that is too long', [file('x', 'x'.repeat(256))]],
  ['a name with a control character', [file('x', 'a\nb')]],
  ['where it is stored', [file('first'), value('filename_disk', '../../x'), file('x')]],
  ['its size', [value('filesize', '1'), file('x')]],
  ['a location that is not there', [value('storage', 'elsewhere'), file('x')]],
  ['tags that are no JSON', [value('tags', 'a,b'), file('x')]],
  ['a folder that is not there', [file('first'), value('folder', crypto.randomUUID()), file('x')]],
])('%s: nothing is left of it', async (_what, all) => {
  expect(await failuresOf(upload(ctx, ...all))).toHaveLength(1)
  await expectNothing()
})

test('a body that ends in the middle, and a storage that fails, leave nothing', async () => {
  let given = false
  const cut: Readable = new Readable({
    highWaterMark: 1,
    read() {
      // When more is requested, the part before has been processed.
      if (given) cut.destroy(new Error('gone'))
      else cut.push('begun')
      given = true
    },
  })
  cut.on('error', () => {})
  expect(await failuresOf(upload(ctx, file('first'), { ...file(''), stream: cut } as Part))).toMatchObject([
    { kind: 'upload-failed', problem: 'incomplete' },
  ])
  await expectNothing()
  const failing = {
    ...createMemoryStorage(),
    write: () => Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' })),
  }
  const full: Context = { ...ctx, storage: { primary: 'local', locations: new Map([['local', failing]]) } }
  expect(await failuresOf(upload(full, file('x')))).toMatchObject([
    { kind: 'unavailable', reason: 'The storage is full' },
  ])
  await expectNothing()
})

test('sizes and types are bounded by what the contents are', async () => {
  const small: Context = { ...ctx, files: { ...ctx.files, maxSize: 5 } }
  await upload(small, file('12345'))
  expect(await failuresOf(upload(small, file('123456')))).toEqual([{ kind: 'content-too-large', limit: 5 }])
  const images: Context = { ...ctx, files: { ...ctx.files, types: ['image/*'] } }
  expect(await failuresOf(upload(images, file('no picture', 'a.png', 'image/png')))).toMatchObject([{ name: 'type' }])
  expect(await filesNow()).toHaveLength(1)
})

test('a role uploads what its rules allow, and is refused before anything is read', async () => {
  const rule = { collection: 'platform_files', action: 'create' as const, fields: ['title'] }
  const validation = is('type', 'text/plain')
  const limited: Context = { ...ctx, actor: userWith([{ ...rule, validation }]) }
  await upload(limited, value('title', 'Mine'), file('x'))
  expect(await filesNow()).toMatchObject([{ title: 'Mine', type: 'text/plain' }])
  expect(await failuresOf(upload(limited, file('x', 'a.html', 'text/html')))).toMatchObject([
    { kind: 'failed-validation' },
  ])
  const unread = file('x')
  for (const actor of [userWith([]), userWith([{ ...rule, fields: ['description'] }])]) {
    expect(await failuresOf(upload({ ...ctx, actor }, value('title', 'x'), unread))).toMatchObject([
      { kind: 'forbidden' },
    ])
  }
  expect(unread.kind === 'file' && unread.stream.readableDidRead).toBe(false)
  expect(await objects()).toHaveLength(1)
})

test('other contents take the place of the old ones, with all that was derived from those', async () => {
  const [key] = await upload(ctx, value('title', 'Kept'), file('old'))
  const before = (await filesNow())[0]?.filename_disk as string
  await local().write(before.replace('.txt', '__/thumbnail.webp'), Readable.from([Buffer.from('small')]))
  await replace(ctx, key, file('<p>new', 'b.html', 'text/html'))
  const [row] = await filesNow()
  expect(row).toMatchObject({ id: key, title: 'Kept', type: 'text/html', filesize: '6' })
  expect(await objects()).toEqual([row?.filename_disk])
  expect(row?.filename_disk).not.toBe(before)
  expect(await journal()).toEqual([])
})

test('contents that cannot be replaced stay as they are', async () => {
  const [key] = await upload(ctx, file('old'))
  const before = await filesNow()
  const mine = { collection: 'platform_files', action: 'update' as const, filter: is('title', 'Another') }
  const failuresWith = (...rules: readonly (typeof mine)[]) =>
    failuresOf(replace({ ...ctx, actor: userWith(rules) }, key, file('new')))
  expect(await failuresWith(mine)).toMatchObject([{ kind: 'item-not-found' }])
  expect(await failuresWith()).toMatchObject([{ kind: 'forbidden' }])
  expect(await failuresOf(replace(ctx, key, value('folder', crypto.randomUUID()), file('new')))).toHaveLength(1)
  expect(await failuresOf(replace(ctx, key, file('new'), file('second')))).toHaveLength(1)
  expect(await filesNow()).toEqual(before)
  expect(await text(await local().read(before[0]?.filename_disk as string))).toBe('old')
  expect(await objects()).toHaveLength(1)
})

const byKey = (key: string) =>
  ({ kind: 'delete', collection: 'platform_files', target: { kind: 'keys', keys: [key] } }) as const
const byQuery = {
  kind: 'delete',
  collection: 'platform_files',
  target: { kind: 'query', query: queryOf('platform_files', { filter: is('title', 'A Note') }) },
} as const

/** Mutations that delete a file, by name, with their preparation. */
const deletions: { readonly [name: string]: (id: string) => Promise<Mutation> } = {
  'by key': async (id) => byKey(id),
  'by query': async () => byQuery,
  'as the related item of another collection': async (id) => {
    await world.rowsOf(`update articles set image = '${id}' where id = 1`)
    const target = { kind: 'keys', keys: [1] } as const
    return { kind: 'update', collection: 'articles', target, changes: nested({ image: erase(id) }) }
  },
}

describe.each(Object.entries(deletions))('a file that is deleted %s', (_name, prepare) => {
  let mutation: Mutation
  beforeEach(async () => {
    await upload(ctx, file('one'))
    const [row] = await filesNow()
    await local().write(`${row?.id}__/x.webp`, Readable.from([Buffer.from('small')]))
    mutation = await prepare(row?.id as string)
  })

  test('leaves no object and no variant of it', async () => {
    await writeItems(ctx, mutation)
    await expectNothing()
  })

  test('leaves them until the transaction around it commits', async () => {
    await withTransaction(ctx, async (inner) => {
      await writeItems(inner, mutation)
      expect(await objects()).toHaveLength(2)
    })
    await expectNothing()
  })

  const failing = async (inner: Context): Promise<void> => {
    await writeItems(inner, mutation)
    throw new Error('after the deletion')
  }

  test('stays with its object when the transaction around it fails, or a part of one', async () => {
    await expect(withTransaction(ctx, failing)).rejects.toThrow('after the deletion')
    await withTransaction(ctx, (inner) => inOneAttempt(inner, failing).catch(() => undefined))
    expect([await filesNow(), await objects()]).toMatchObject([[{ title: 'A Note' }], [{}, {}]])
  })
})

test('a row that was deleted in the database takes its object along at the next cleanup', async () => {
  await upload(ctx, file('one'))
  await world.rowsOf('delete from platform_files')
  await deleteDoomed(keeperOf(ctx))
  await expectNothing()
})

test('a deletion whose object cannot be deleted now is done, and is a warning', async () => {
  await upload(ctx, file('one'))
  const warnings: string[] = []
  const broken: Context = {
    ...ctx,
    storage: { primary: 'local', locations: new Map() },
    log: { ...ctx.log, warn: (_detail, message) => void warnings.push(message) },
  }
  await writeItems(broken, byQuery)
  expect([await filesNow(), await objects(), warnings]).toMatchObject([[], [{}], [expect.any(String)]])
})

test('an object that cannot be deleted now is deleted later', async () => {
  await upload(ctx, file('one'))
  const stuck = { ...local(), delete: () => Promise.reject(new Error('not now')) }
  const broken: Context = { ...ctx, storage: { primary: 'local', locations: new Map([['local', stuck]]) } }
  await world.rowsOf('delete from platform_files')
  expect(await deleteDoomed(keeperOf(broken))).toBe(0)
  expect(await objects()).toHaveLength(1)
  expect(await deleteDoomed(keeperOf(ctx))).toBe(1)
  await expectNothing()
})

test('the database waits for no storage that deletes slowly, and a second look leaves the object to the first', async () => {
  await upload(ctx, file('one'))
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const slow: Storage = {
    ...local(),
    async delete(key) {
      begun.resolve()
      await end.promise
      await local().delete(key)
    },
  }
  const at: Context = { ...ctx, storage: { primary: 'local', locations: new Map([['local', slow]]) } }
  await world.rowsOf('delete from platform_files')
  const first = deleteDoomed(keeperOf(at))
  await begun.promise
  expect(await deleteDoomed(keeperOf(ctx))).toBe(0)
  expect(await objects()).toHaveLength(1)
  end.resolve()
  expect(await first).toBe(1)
  await expectNothing()
})

test('where the bytes are cannot be written by any other path', async () => {
  await upload(ctx, file('one'))
  const [row] = await filesNow()
  for (const name of ['storage', 'filename_disk', 'filesize', 'uploaded_on']) {
    const target = { kind: 'keys' as const, keys: [row?.id as string] }
    const changes = changesOf({ [name]: '1' })
    const update = writeItems(ctx, { kind: 'update', collection: 'platform_files', target, changes })
    expect(await failuresOf(update)).toMatchObject([{ kind: 'invalid-payload', name }])
  }
  const create = {
    kind: 'create' as const,
    collection: 'platform_files',
    items: [changesOf({ storage: 'local', filename_download: 'x' })],
  }
  expect(await failuresOf(writeItems(ctx, create))).toMatchObject([{ kind: 'invalid-payload', name: 'storage' }])
})

test('a stored object becomes a file once, and one of a file or of an upload under way never', async () => {
  await local().write('brought.txt', Readable.from([Buffer.from('hello')]))
  await local().write('variant__1.txt', Readable.from([Buffer.from('hello')]))
  await register('brought.txt')
  expect(await filesNow()).toMatchObject([{ title: 'Mine', filesize: '5', filename_download: 'brought.txt' }])
  await world.rowsOf(`insert into platform_stored_objects (storage, key) values ('local', 'coming.txt')`)
  await local().write('coming.txt', Readable.from([Buffer.from('hello')]))
  for (const key of ['brought.txt', 'coming.txt', 'absent.txt', '../x', 'variant__1.txt']) {
    expect(await failuresOf(register(key))).toMatchObject([{ name: 'filename_disk' }])
  }
})

test('a stored object takes what its contents do not have, but no wrong types', async () => {
  await local().write('brought.txt', Readable.from([Buffer.from('hello')]))
  for (const [name, wrong] of Object.entries({ storage: null, filename_download: null, charset: [], metadata: 5 })) {
    expect(JSON.stringify(await failuresOf(register('brought.txt', { [name]: wrong })))).toContain(`"${name}"`)
  }
  await register('brought.txt', { charset: 'utf-8', metadata: { a: 1 } })
  expect(await filesNow()).toMatchObject([{ charset: 'utf-8', metadata: { a: 1 } }])
})

test('files that a killed process left behind are removed after their minimum age', async () => {
  await local().write('dead.txt', Readable.from([Buffer.from('x')]))
  await world.rowsOf(`insert into platform_stored_objects (storage, key) values ('local', 'dead.txt')`)
  const now = Date.now()
  expect(await repairObjects(keeperOf(ctx), new Date(now))).toEqual({ deleted: 0, unfinished: 0 })
  expect(await objects()).toEqual(['dead.txt'])
  expect((await repairObjects(keeperOf(ctx), new Date(now + 2 * writeGrace))).deleted).toBe(1)
  await expectNothing()
})

test('a name that a row got in the same moment is left to it', async () => {
  const [other] = await upload(ctx, file('theirs', 'b.txt'))
  const { db } = ctx
  const late: Context = {
    ...ctx,
    db: {
      ...db,
      async run(statement) {
        const done = await db.run(statement)
        if (statement.text.startsWith('insert into platform_stored_objects') && statement.values[1] === 'a-note.txt') {
          await world.rowsOf(`update platform_files set filename_disk = 'a-note.txt' where id = '${String(other)}'`)
        }
        return done
      },
    },
  }
  await world.rowsOf("update platform_settings set file_naming = 'file_name'")
  await upload(late, file('mine', 'a note.txt'))
  await world.rowsOf("update platform_settings set file_naming = 'uuid'")
  expect((await filesNow()).map((each) => each.filename_disk).toSorted()).toEqual(['a-note-1.txt', 'a-note.txt'])
  expect(await objects()).not.toContain('a-note.txt')
})

test('an upload that was given up meanwhile makes no row', async () => {
  const slow = file('x')
  const taken: Context = {
    ...ctx,
    storage: {
      primary: 'local',
      locations: new Map([
        [
          'local',
          {
            ...local(),
            write: async (key: string, stream: Readable) => {
              const done = await local().write(key, stream)
              await repairObjects(keeperOf(ctx), new Date(Date.now() + 2 * writeGrace))
              return done
            },
          },
        ],
      ]),
    },
  }
  expect(await failuresOf(upload(taken, slow))).toMatchObject([{ kind: 'unavailable' }])
  await expectNothing()
})

test('a sweep deletes what is ours and nobody has, and tells of the rest', async () => {
  await upload(ctx, file('one'))
  const [row] = await filesNow()
  const orphan = `${crypto.randomUUID()}.jpg`
  for (const key of [orphan, `${row?.id}__/v.webp`, 'by-hand.txt'])
    await local().write(key, Readable.from([Buffer.from('x')]))
  await world.rowsOf(`insert into platform_files (id, storage, filename_disk, filename_download) values
    ('00000000-0000-4000-8000-00000000aaaa', 'local', 'lost.txt', 'lost.txt')`)
  const later = new Date(Date.now() + 2 * writeGrace)
  const young = await sweepFiles(keeperOf(ctx), { now: new Date(), dry: false })
  expect([young.orphans, young.strangers]).toEqual([[], []])
  const report = await sweepFiles(keeperOf(ctx), { now: later, dry: true })
  expect(await objects()).toHaveLength(4)
  expect(await sweepFiles(keeperOf(ctx), { now: later, dry: false })).toEqual(report)
  expect(report).toMatchObject({
    orphans: [{ storage: 'local', key: orphan }],
    strangers: [{ storage: 'local', key: 'by-hand.txt' }],
    missing: [{ key: 'lost.txt' }],
  })
  expect(new Set(await objects())).toEqual(new Set([row?.filename_disk, `${row?.id}__/v.webp`, 'by-hand.txt']))
})
