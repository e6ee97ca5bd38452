import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import type { Outbound } from '../../domain/ports/outbound.ts'
import type { StorageLocations } from '../../domain/ports/storage.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isOnMariaDb } from '../../sql/testing/test-vendors.ts'
import { createMemoryStorage, listAll, testFileSettings } from '../../storage/test-storage.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { createTestServer, security, tokens } from '../testing/test-server.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAIklEQVQ4jWN4EKDwHx82KDiAFzOMGvB/NAwOjIZBwbAIAwDIwVcfsaqIVAAAAABJRU5ErkJggg==',
  'base64',
)

const storage = createMemoryStorage()
const state: { failure: object | null } = { failure: null }
const locations: StorageLocations = {
  locations: new Map([
    [
      'local',
      {
        ...storage,
        write: async (key, stream) => {
          if (state.failure === null) return storage.write(key, stream)
          throw Object.assign(new Error('no'), state.failure)
        },
      },
    ],
  ]),
  primary: 'local',
}

const fetched: string[] = []

/** Serves two videos and one address of an image, and nothing else. */
const outbound: Outbound = {
  async fetchFile(address) {
    fetched.push(address)
    const url = new URL(address)
    if (url.hostname === '10.0.0.1') {
      const reason = 'Private addresses are refused unless IMPORT_IP_ALLOW_LIST has them'
      throw new TandemError({ kind: 'unavailable', service: 'external-file', reason, retryAfter: 30 })
    }
    const content = url.pathname.endsWith('.json') ? '{"thumbnail_url":"https://pictures.example/a.png"}' : pixel
    return { url, type: 'image/png', stream: Readable.from([Buffer.from(content as string)]) }
  },
}

/** May read and update files named `Own`. */
const clerk = '88888888-8888-4888-8888-888888888888'

const sql = `; insert into platform_users (id, email, token) values
      ('${clerk}', 'clerk@example.com', '${hashToken('token-of-the-clerk', security.secret)}');
    insert into platform_policies (id, name) values ('${clerk}', 'Clerks');
    insert into platform_access (id, "user", policy) values ('${clerk}', '${clerk}', '${clerk}');
    insert into platform_permissions (policy, collection, action, permissions, fields)
      select '${clerk}', 'platform_files', action, '{"title":{"_eq":"Own"}}', '*' from unnest(array['read', 'update']) as action`
const files = { ...testFileSettings, maxSize: 1000 }
const server = await createTestServer({ storage: locations, outbound, files }, sql)
afterAll(() => server.close())

type File = { readonly [field: string]: unknown } & { readonly id: number; readonly filename_disk: string }

const ask = async (request: string, body?: unknown, token?: string | null) => {
  const answer = await server.ask(request, { body, ...(token === undefined ? {} : { token }) })
  const { data, error } = answer.body as { data?: File | readonly File[]; error?: { code: number; message: string } }
  return { status: answer.status, code: error?.code, message: error?.message, data }
}

const one = async (request: string, body?: unknown): Promise<File> => {
  const { data, message } = await ask(request, body)
  const [file] = [data ?? []].flat() as readonly File[]
  if (file === undefined) throw new Error(`No file: ${message}`)
  return file
}

const form = (...parts: readonly (readonly [name: string, value: string | Blob, filename?: string])[]): FormData => {
  const made = new FormData()
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') made.append(name, value)
    else made.append(name, value, filename)
  }
  return made
}

const picture = (): Blob => new Blob([pixel], { type: 'image/png' })
const names = { filename_disk: 'hello.txt', filename_download: 'hello.txt' }
const upload = (more: object = {}): Promise<File> =>
  one('POST /_/files', { data: 'data:text/plain;base64,aGVsbG8=', ...names, ...more })
const stored = async (key: string): Promise<string> => (await buffer(await storage.read(key))).toString()
const run = (text: string) => server.db.run({ text, values: [] })

const keys = async (): Promise<readonly string[]> => (await listAll(storage, '')).map(({ key }) => key).toSorted()

const inPostgres = (does: string): readonly string[] => [
  `create or replace function stops() returns trigger language plpgsql as $$ begin ${does}; return new; end $$`,
  'create trigger stops before insert on platform_files for each row execute function stops()',
]

/** MariaDB drops no row without an error. */
const triggers: readonly (readonly [what: string, texts: readonly string[], message: string])[] = isOnMariaDb
  ? [
      [
        'refuses',
        [
          `create trigger stops before insert on platform_files for each row
            signal sqlstate '45000' set message_text = 'Only on weekdays'`,
        ],
        'Only on weekdays',
      ],
    ]
  : [
      ['refuses', inPostgres("raise exception 'Only on weekdays'"), 'Only on weekdays'],
      ['drops', inPostgres('return null'), 'A trigger or rule of the database rejects the change'],
    ]

describe('an upload by form', () => {
  test('parts around the file are its fields, whatever their order', async () => {
    const folder = await one('POST /_/folders', { name: 'Photos' })
    const file = await one(
      'POST /_/files',
      form(
        ['title', 'Sea'],
        ['whatever', picture(), 'my sea.png'],
        ['tags', 'red, blue'],
        ['folder', String(folder.id)],
      ),
    )
    expect(file).toMatchObject({
      title: 'Sea',
      filename_download: 'my sea.png',
      tags: ['red', 'blue'],
      folder: folder.id,
      type: 'image/png',
      width: 16,
      height: 16,
      filesize: pixel.length,
      uploaded_by: expect.any(Number) as number,
    })
    expect(file['private_hash']).toMatch(/^[a-z0-9]{16}$/)
    expect(file['data']).toMatchObject({
      url: `/uploads/_/originals/${file.filename_disk}`,
      full_url: `${server.url}/uploads/_/originals/${file.filename_disk}`,
      asset_url: `/_/assets/${String(file['private_hash'])}`,
      embed: null,
    })
    const { thumbnails } = file['data'] as { thumbnails: readonly object[] }
    expect(thumbnails).toHaveLength(6)
    expect(thumbnails[0]).toEqual({
      key: 'platform-small-crop',
      url: `${server.url}/_/assets/${String(file['private_hash'])}?key=platform-small-crop`,
      relative_url: `/_/assets/${String(file['private_hash'])}?key=platform-small-crop`,
      dimension: '64x64',
      width: 64,
      height: 64,
    })
  })

  test('failures have the codes of uploads, and leave nothing behind', async () => {
    const before = await keys()
    const large = new Blob(['a'.repeat(2000)])
    const failures = [
      await ask('POST /_/files', form(['title', 'Nothing'])),
      await ask('POST /_/files', form(['a', picture(), 'a.png'], ['b', picture(), 'b.png'])),
      await ask('POST /_/files', form(['a', large, 'a.txt'])),
      await ask('POST /_/files', form(['a', picture(), 'a.png'], ['nothing', 'x'])),
    ]
    expect(failures.map(({ status, code }) => [status, code])).toEqual([
      [500, 604],
      [400, 15],
      [500, 601],
      [422, 12],
    ])
    expect(await keys()).toEqual(before)
  })

  test.each([
    ['a full disk', { code: 'ENOSPC' }, 607],
    ['a missing folder', { code: 'ENOENT' }, 606],
    ['a missing bucket', { name: 'NoSuchBucket' }, 606],
    ['a storage that does not say why', {}, 600],
  ])('%s has a code too, and no row', async (_what, failure, code) => {
    const before = await ask('GET /_/files?fields=id')
    state.failure = failure
    const refused = await ask('POST /_/files', form(['a', picture(), 'a.png']))
    state.failure = null
    expect([refused.status, refused.code]).toEqual([500, code])
    expect((await ask('GET /_/files?fields=id')).data).toEqual(before.data)
  })

  test.each(triggers)('a trigger that %s the row stops the upload', async (_what, texts, message) => {
    for (const text of texts) await run(text)
    const before = await keys()
    const answer = await server.ask('POST /_/files', { body: form(['title', 'A'], ['a', picture(), 'a.png']) })
    await run(isOnMariaDb ? 'drop trigger stops' : 'drop trigger stops on platform_files')
    expect([answer.status, answer.body]).toEqual([500, { error: { code: 608, message } }])
    expect(await keys()).toEqual(before)
  })

  test('a form that ends inside its file counts as a partial upload', async () => {
    const before = await keys()
    const body = '--b\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\nonly the begin'
    const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await fetch(`${server.url}/_/files`, { method: 'POST', body, headers })
    expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: 603 } }])
    expect(await keys()).toEqual(before)
  })

  test('permissions are checked before contents', async () => {
    expect(await ask('POST /_/files', form(['a', picture(), 'a.png']), null)).toMatchObject({ status: 401, code: 3 })
    expect(await ask('POST /_/files', form(['a', picture(), 'a.png']), tokens.reader)).toMatchObject({
      status: 403,
      code: 10,
    })
  })
})

describe('an upload by body', () => {
  test('a data URI, and bare base64', async () => {
    const file = await upload({ tags: 'a,b' })
    expect(file).toMatchObject({ title: 'Hello', type: 'text/plain', filesize: 5, tags: ['a', 'b'] })
    expect((file['data'] as { thumbnails: unknown }).thumbnails).toBeNull()
    expect(await stored(file.filename_disk)).toBe('hello')
    const bare = await one('POST /_/files', { data: 'aGVsbG8=', filename: 'plain.txt' })
    expect(bare).toMatchObject({ filename_download: 'plain.txt', filesize: 5 })
  })

  test('an address is fetched, if the caller may create files', async () => {
    expect(await one('POST /_/files', { data: 'https://example.com/a%20b.png', title: 'B' })).toMatchObject({
      title: 'B',
      filename_download: 'a b.png',
      width: 16,
    })
    fetched.length = 0
    expect((await ask('POST /_/files', { data: 'https://example.com/a.png' }, tokens.reader)).status).toBe(403)
    expect(fetched).toEqual([])
  })

  test('an address that is not fetched names the setting that allows it', async () => {
    const answer = await ask('POST /_/files', { data: 'http://10.0.0.1/a.png' })
    const message =
      'Expected an address that can be fetched for "data". Private addresses are refused unless IMPORT_IP_ALLOW_LIST has them'
    expect(answer).toEqual({ status: 400, code: 4, message, data: undefined })
  })

  test.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'vimeo', '76979871'],
  ])('%s is a picture and what it is of', async (data, site, id) => {
    const file = await one('POST /_/files', { data, title: 'A video' })
    expect(file).toMatchObject({ type: `embed/${site}`, embed: id, width: 560, height: 340, title: 'A video' })
    expect(file['data']).toMatchObject({ thumbnails: null, embed: { html: expect.stringContaining(id) as string } })
  })

  test.each([
    [[{ data: 'aGVsbG8=', ...names }], 15],
    [{ data: 'aGVsbG8=' }, 4],
    [{ data: 'no base64!', ...names }, 4],
    [{ data: 'aGVsbG8=', ...names, private_hash: 'short' }, 4],
    [{ data: 'aGVsbG8=', ...names, metadata: '{' }, 4],
    [{ data: 'aGVsbG8=', ...names, uploaded_on: '2020-01-01' }, 4],
    [{ data: 'aGVsbG8=', ...names, storage: null }, 4],
    [{ data: 'aGVsbG8=', ...names, filename: [] }, 4],
    [{ data: 'aGVsbG8=', ...names, filename_download: null }, 4],
    [{ data: 'aGVsbG8=', ...names, filename_disk: 'a'.repeat(256) }, 4],
  ])('%j is code %i', async (body, code) => {
    expect(await ask('POST /_/files', body)).toMatchObject({ status: 400, code })
  })
})

describe('changes', () => {
  test('are answered with a list for one file and for several', async () => {
    const [a, b] = [await upload(), await upload()]
    expect((await ask(`PATCH /_/files/${a.id}`, { title: 'One' })).data).toMatchObject([{ id: a.id, title: 'One' }])
    expect((await ask(`PATCH /_/files/${a.id},${b.id}`, { title: 'Both' })).data).toMatchObject([
      { id: a.id, title: 'Both' },
      { id: b.id, title: 'Both' },
    ])
    const each = [
      { id: a.id, title: 'A' },
      { id: b.id, tags: 'x,y' },
    ]
    expect((await ask('PATCH /_/files', each)).data).toMatchObject([{ title: 'A' }, { tags: ['x', 'y'] }])
  })

  test('new contents get a new name and the old ones are deleted', async () => {
    const file = await upload()
    const changed = await one(`PATCH /_/files/${file.id}`, { data: 'data:text/plain;base64,b3RoZXI=', title: 'Other' })
    expect(changed).toMatchObject({ id: file.id, title: 'Other', filename_download: 'hello.txt', filesize: 5 })
    expect(changed['private_hash']).toBe(file['private_hash'])
    expect(await stored(changed.filename_disk)).toBe('other')
    expect(await keys()).not.toContain(file.filename_disk)
  })

  test('renaming moves the contents', async () => {
    const file = await upload()
    const renamed = await one(`PATCH /_/files/${file.id}`, { filename_disk: 'a-name.txt', title: 'Renamed' })
    expect(renamed).toMatchObject({ filename_disk: 'a-name.txt', filename_download: 'hello.txt', title: 'Renamed' })
    expect(await stored('a-name.txt')).toBe('hello')
    expect(await keys()).not.toContain(file.filename_disk)
    const other = await upload()
    const refused = [
      await ask(`PATCH /_/files/${other.id}`, { filename_disk: 'a-name.txt' }),
      await ask(`PATCH /_/files/${other.id}`, { filename_disk: '../a.txt' }),
      await ask(`PATCH /_/files/${other.id}`, { filename_disk: 'a__b.txt' }),
      await ask(`PATCH /_/files/${other.id},${file.id}`, { filename_disk: 'b.txt' }),
      await ask(`PATCH /_/files/${other.id}`, { filename_disk: 'b.txt' }, tokens.reader),
    ]
    expect(refused.map(({ status, code }) => [status, code])).toEqual([
      [409, 204],
      [400, 4],
      [400, 4],
      [400, 15],
      [403, 10],
    ])
    expect(await stored('a-name.txt')).toBe('hello')
    expect(await stored(other.filename_disk)).toBe('hello')
  })

  test('a file without tags has an empty list of them', async () => {
    const { id, tags } = await upload()
    const untagged = await one(`PATCH /_/files/${id}?fields=tags`, { tags: null })
    expect([tags, untagged['tags'], (await one(`GET /_/files/${id}?fields=tags`))['tags']]).toEqual([[], [], []])
  })

  test('a file may be sent back with its own number', async () => {
    const { id } = await upload()
    expect(await one(`PATCH /_/files/${id}`, { id, title: 'Sent back' })).toMatchObject({ id, title: 'Sent back' })
    expect(await ask(`PATCH /_/files/${id}`, { id: 999999 })).toMatchObject({ status: 422, code: 12 })
  })

  test('a name used by a hidden file is replaced by the next free one', async () => {
    const hidden = await one(`PATCH /_/files/${(await upload()).id}`, { filename_disk: 'Plan.b.txt', title: 'Hidden' })
    const own = await one(`PATCH /_/files/${(await upload()).id}`, { title: 'Own' })
    await storage.write('Plan.b-1.txt', Readable.from([Buffer.from('nobody’s')]))
    const renamed = await ask(
      `PATCH /_/files/${own.id}?fields=*`,
      { filename_disk: 'Plan.b.txt' },
      'token-of-the-clerk',
    )
    expect([renamed.status, ([renamed.data].flat()[0] as File).filename_disk]).toEqual([200, 'Plan.b-2.txt'])
    expect(await stored('Plan.b-2.txt')).toBe('hello')
    expect(await keys()).not.toContain(own.filename_disk)
    expect(await one(`GET /_/files/${hidden.id}`)).toMatchObject({ filename_disk: 'Plan.b.txt' })
    const seen = await one(`PATCH /_/files/${hidden.id}`, { title: 'Own' })
    const again = await ask(`PATCH /_/files/${own.id}`, { filename_disk: seen.filename_disk }, 'token-of-the-clerk')
    expect([again.status, again.code]).toEqual([409, 204])
  })

  test('files are deleted with their contents, all or none', async () => {
    const [a, b] = [await upload(), await upload()]
    expect(await ask(`DELETE /_/files/${a.id},999999`)).toMatchObject({ status: 404, code: 203 })
    expect(await keys()).toEqual(expect.arrayContaining([a.filename_disk, b.filename_disk]))
    expect((await ask(`DELETE /_/files/${a.id},${b.id}`)).status).toBe(204)
    expect(await keys()).not.toContain(a.filename_disk)
    expect(await ask(`GET /_/files/${a.id}`)).toMatchObject({ status: 404, code: 203 })
  })
})

describe('revisions', () => {
  test('are read by position, with the field names of this generation', async () => {
    const folder = await one('POST /_/folders', { name: 'Kept' })
    const file = await upload({ folder: folder.id })
    await one(`PATCH /_/files/${file.id}`, { title: 'Second' })
    await one(`PATCH /_/files/${file.id}`, { data: 'data:text/plain;base64,dGhpcmQ=', title: 'Third', folder: null })
    const { data } = await ask(`GET /_/files/${file.id}/revisions`)
    const item = String(file.id)
    expect(data).toMatchObject([
      { item, collection: 'platform_files', data: { title: 'Hello', folder: folder.id, filesize: 5 } },
      { item, data: { title: 'Second' }, delta: { title: 'Second' } },
      { item, data: { title: 'Third', folder: null } },
    ])
    const place = async (offset: number): Promise<unknown> =>
      (await one(`GET /_/files/${file.id}/revisions/${offset}`))['data']
    expect(await place(0)).toMatchObject({ title: 'Hello' })
    expect(await place(2)).toMatchObject({ title: 'Third' })
    expect(await place(-1)).toMatchObject({ title: 'Second' })
    expect(await ask(`GET /_/files/${file.id}/revisions/3`)).toMatchObject({ status: 404, code: 207 })
    const [first] = data as readonly File[]
    const reverted = await one(`PATCH /_/files/${file.id}/revert/${first?.id}`)
    expect(reverted).toMatchObject({ id: file.id, title: 'Hello', folder: folder.id })
    expect(await stored(reverted.filename_disk)).toBe('third')
    const other = await upload()
    expect(await ask(`PATCH /_/files/${other.id}/revert/${first?.id}`)).toMatchObject({ status: 404, code: 207 })
  })
})

describe('a caller who may not read files', () => {
  test('gets neither rows nor contents, and does not learn which exist', async () => {
    const file = await upload()
    const places = [`/_/files/${file.id}`, '/_/files/999999', `/_/assets/${String(file['private_hash'])}`]
    const more = ['/_/assets/nothing', `/uploads/_/originals/${file.filename_disk}`, '/uploads/_/originals/nothing']
    for (const path of [...places, ...more]) {
      expect(await ask(`GET ${path}`, undefined, null), path).toMatchObject({ status: 401, code: 3 })
      expect(await ask(`GET ${path}`, undefined, tokens.reader), path).toMatchObject({ status: 403, code: 300 })
    }
  })
})
