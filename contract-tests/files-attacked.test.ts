/** Attacks on files: path traversal, false media types, scripts, and files of other users. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, formOf, measure, twoHalves } from './pictures.ts'
import { openWorld, type UserKind } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-attacked-'))
const outside = join(folder, 'secret.txt')

writeFileSync(outside, 'nobody reads this')
const world = await openWorld({
  STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
  FILES_MIME_TYPE_ALLOW_LIST: 'text/*,image/*',
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

type Row = { readonly [field: string]: unknown } & { readonly id: string }

const visitor = (session: Row) => ({ authorization: `Bearer ${String(session['access_token'])}` })

const said = async (answer: Promise<Response>): Promise<readonly [status: number, text: string]> => {
  const response = await answer
  return [response.status, await response.text()]
}

const rowOf = async (answer: Promise<Response>): Promise<Row> => {
  const [status, text] = await said(answer)
  if (status !== 200) throw new Error(`Expected a row but received ${status}: ${text}`)
  return (JSON.parse(text) as { readonly data: Row }).data
}

const upload = (contents: Buffer | string, filename: string, values = {}): Promise<Row> =>
  rowOf(ask(world, 'POST /files', { body: formOf(Buffer.from(contents as string), filename, values) }))

/** A form whose file part has custom headers. */
const raw = (head: string, contents: string): Promise<Response> => {
  const token = world.tokens.admin
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' }
  const body = Buffer.from(`--x\r\n${head}\r\n\r\n${contents}\r\n--x--\r\n`, 'latin1')
  return fetch(`${world.url}/files`, { method: 'POST', headers, body })
}

describe('path traversal', () => {
  const places = [
    '../secret.txt',
    '..%2Fsecret.txt',
    '%2e%2e/secret.txt',
    '/etc/passwd',
    '....//secret.txt',
    'a/../../secret.txt',
  ]

  test.each([...places, '..\\secret.txt', 'secret.txt\u0000.png', '~/secret.txt', 'C:\\secret.txt'])(
    'a file called %j is stored under a name of ours',
    async (filename) => {
      const [status, text] = await said(
        raw(`Content-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/plain`, 'mine'),
      )
      if (status !== 200) return expect([status, text]).toEqual([400, expect.stringContaining('INVALID_PAYLOAD')])
      const { data } = JSON.parse(text) as { readonly data: Row }
      expect(data['filename_disk']).toMatch(new RegExp(`^${data.id}\\.[a-z]+$`))
      expect(readdirSync(folder).toSorted()).toEqual(['secret.txt', 'uploads'])
    },
  )

  test('objects with readable names stay in their folder too', async () => {
    expect((await ask(world, 'PATCH /settings', { body: { file_naming: 'file_name' } })).status).toBe(200)
    for (const filename of [...places, '...', '__', '.htaccess', 'con.txt']) {
      const file = await upload(await twoHalves().png().toBuffer(), filename)
      expect(file['filename_disk']).toMatch(/^[a-z0-9][a-z0-9_-]*(\.[a-z0-9]+)?$/)
      expect(existsSync(join(folder, 'uploads', file['filename_disk'] as string))).toBe(true)
    }
    expect(readdirSync(folder).toSorted()).toEqual(['secret.txt', 'uploads'])
    await ask(world, 'PATCH /settings', { body: { file_naming: 'uuid' } })
  })

  test.each(places)('%s cannot be registered, renamed to or read', async (name) => {
    const { id } = await upload('mine', 'a.txt')
    const row = await rowOf(ask(world, `GET /_/files?filter[filename_disk]=${id}.txt&single=1`))
    const attempts = [
      ask(world, 'POST /files', { body: { type: 'text/plain', filename_disk: name } }),
      ask(world, `PATCH /files/${id}`, { body: { filename_disk: name } }),
      ask(world, `PATCH /_/files/${row.id}`, { body: { filename_disk: name } }),
      ask(world, `GET /uploads/_/originals/${encodeURIComponent(name)}`),
      ask(world, `GET /_/assets/${encodeURIComponent(name)}`),
      ask(world, `GET /assets/${encodeURIComponent(name)}`),
    ]
    for (const [status, text] of await Promise.all(attempts.map(said))) {
      expect([400, 403, 404]).toContain(status)
      expect(text).not.toContain('nobody reads')
    }
  })

  test('links and folders in the storage cannot be files or names of files', async () => {
    const { id } = await upload('mine', 'a.txt')
    const row = await rowOf(ask(world, `GET /_/files?filter[filename_disk]=${id}.txt&single=1`))
    mkdirSync(join(folder, 'uploads', 'sub'))
    symlinkSync(folder, join(folder, 'uploads', 'out'))
    symlinkSync('.', join(folder, 'uploads', 'self'))
    for (const name of ['out/secret.txt', `self/${id}.txt`, 'sub', 'out']) {
      const [status, text] = await said(
        ask(world, 'POST /files', { body: { type: 'text/plain', filename_disk: name } }),
      )
      expect([status, text]).toEqual([400, expect.stringContaining('filename_disk')])
    }
    expect((await ask(world, `PATCH /_/files/${row.id}`, { body: { filename_disk: 'sub' } })).status).toBe(409)
    expect((await ask(world, `GET /assets/${id}`)).status).toBe(200)
    for (const name of ['out', 'self', 'sub']) rmSync(join(folder, 'uploads', name), { recursive: true })
  })

  test('a file whose folder becomes a link is not found, and can be deleted', async () => {
    mkdirSync(join(folder, 'uploads', 'sub'))
    writeFileSync(join(folder, 'uploads', 'sub', 'secret.txt'), 'mine')
    const { id } = await rowOf(
      ask(world, 'POST /files', { body: { type: 'text/plain', filename_disk: 'sub/secret.txt' } }),
    )
    rmSync(join(folder, 'uploads', 'sub'), { recursive: true })
    symlinkSync(folder, join(folder, 'uploads', 'sub'))
    expect((await ask(world, `GET /assets/${id}`)).status).toBe(403)
    expect((await ask(world, `DELETE /files/${id}`)).status).toBe(204)
    expect(existsSync(outside)).toBe(true)
    rmSync(join(folder, 'uploads', 'sub'))
  })

  test.each(['storage', 'filename_disk', 'filesize', 'uploaded_on', 'tus_id', 'private_hash', 'checksum'])(
    '%s cannot be set by the way of another row',
    async (name) => {
      const value = name === 'filesize' ? 1 : '../../secret.txt'
      const avatar = { filename_download: 'a.txt', [name]: value }
      const [status] = await said(ask(world, 'PATCH /users/me', { body: { avatar } }))
      expect([400, 403]).toContain(status)
    },
  )
})

describe('false media types', () => {
  test('the type of the contents decides, on every path', async () => {
    const pdf = '%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF'
    expect((await ask(world, 'POST /files', { body: formOf(Buffer.from(pdf), 'a.txt') })).status).toBe(400)
    const { id } = await upload('mine', 'a.txt')
    for (const [request, body] of [
      [`PATCH /files/${id}`, { type: 'application/pdf' }],
      [`PATCH /files`, { keys: [id], data: { type: 'application/pdf' } }],
      ['PATCH /users/me', { avatar: { id, type: 'application/pdf' } }],
      [`PATCH /files/${id}`, { type: 'text/html\r\nset-cookie: a=b' }],
    ] as const) {
      expect(await said(ask(world, request, { body }))).toEqual([400, expect.stringContaining('"type\\"')])
    }
    expect((await ask(world, `PATCH /files/${id}`, { body: { type: 'text/csv' } })).status).toBe(200)
  })

  test.each([
    ['page.html', 'text/html', '<script>alert(1)</script>', 'attachment'],
    ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'inline'],
    ['code.js', 'text/javascript', 'alert(1)', 'attachment'],
    ['sheet.xml', 'text/xml', '<a/>', 'attachment'],
    ['sheet.xsl', 'text/xsl', '<a/>', 'attachment'],
    ['feed.xml', 'text/rss+xml', '<a/>', 'attachment'],
    ['old.js', 'text/ecmascript', 'alert(1)', 'attachment'],
    ['cache.appcache', 'text/cache-manifest', 'CACHE MANIFEST', 'inline'],
  ])('%s does nothing in our origin', async (filename, type, contents, shown) => {
    const [status, text] = await said(
      raw(`Content-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}`, contents),
    )
    expect(status, text).toBe(200)
    const { data } = JSON.parse(text) as { readonly data: Row }
    for (const address of [`/assets/${data.id}`, `/uploads/_/originals/${String(data['filename_disk'])}`]) {
      const { headers } = await ask(world, `GET ${address}`)
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${shown};`))
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('names cannot inject headers', async () => {
    const { id } = await upload('mine', 'a.txt')
    const name = '"\r\nSet-Cookie: a=b\r\n\u2028ü.txt'
    const rename = (to: string) => said(ask(world, `PATCH /files/${id}`, { body: { filename_download: to } }))
    expect(await rename(name)).toEqual([400, expect.stringContaining('filename_download')])
    expect((await rename('"; Set-Cookie: a=b\u2028ü.txt'))[0]).toBe(200)
    for (const address of [`/assets/${id}`, `/assets/${id}/${encodeURIComponent(name)}`]) {
      const { headers } = await ask(world, `GET ${address}?download`)
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="[^"\r\n]*"; filename\*=UTF-8''[\w%.:-]+$/,
      )
    }
  })
})

describe('decompression bombs', () => {
  test('are stored and never transformed', async () => {
    const png = await twoHalves().png().toBuffer()
    png.writeUInt32BE(60_000, 16)
    png.writeUInt32BE(60_000, 20)
    const { id } = await upload(png, 'bomb.png')
    const [status, text] = await said(ask(world, `GET /assets/${id}?width=10`))
    expect([status, text]).toEqual([400, expect.stringContaining('ILLEGAL_ASSET_TRANSFORMATION')])
    expect((await ask(world, `GET /assets/${id}`)).status).toBe(200)
  })
})

describe('private files', () => {
  let id: string
  let hash: string
  let disk: string

  beforeAll(async () => {
    const file = await upload(await twoHalves().png().toBuffer(), 'private.png', { title: 'Private' })
    id = file.id
    disk = file['filename_disk'] as string
    const row = await rowOf(ask(world, `GET /_/files?filter[filename_disk]=${disk}&single=1`))
    hash = row['private_hash'] as string
  })

  test.each(['public', 'nobody', 'writer'] as const)('%s cannot read it, nor learn that it exists', async (as) => {
    const missing = '00000000-0000-4000-8000-00000000ffff'
    const pairs = [
      [`GET /files/${id}`, `GET /files/${missing}`],
      [`GET /assets/${id}`, `GET /assets/${missing}`],
      [`GET /assets/${id}?width=10`, `GET /assets/${missing}?width=10`],
      [`HEAD /assets/${id}`, `HEAD /assets/${missing}`],
      [`GET /_/assets/${hash}`, 'GET /_/assets/nothingnothing00'],
      [`GET /_/assets/${id}`, `GET /_/assets/${missing}`],
      [`GET /uploads/_/originals/${disk}`, `GET /uploads/_/originals/${missing}.png`],
    ] as const
    for (const [there, gone] of pairs) {
      const [mine, none] = [await said(ask(world, there, { as })), await said(ask(world, gone, { as }))]
      expect(mine[0], there).toBeGreaterThanOrEqual(401)
      expect(mine, there).toEqual(none)
    }
  })

  test('URLs do not contain fields that the caller may not read', async () => {
    const { data } = JSON.parse(
      (await said(ask(world, 'GET /permissions?filter[collection][_eq]=platform_files&filter[action][_eq]=read')))[1],
    ) as { readonly data: readonly { readonly id: number; readonly policy: string }[] }
    const [rule] = data.filter((each) => each.policy !== null)
    const change = (fields: readonly string[]) => ask(world, `PATCH /permissions/${rule?.id}`, { body: { fields } })
    expect((await change(['id', 'number', 'title'])).status).toBe(200)
    const links = await rowOf(ask(world, 'GET /_/files?filter[title]=Private&single=1', { as: 'editor' }))
    expect(links['data']).toEqual({
      url: null,
      full_url: null,
      asset_url: `/_/assets/${id}`,
      thumbnails: null,
      embed: null,
    })
    for (const hidden of ['filename_disk', 'private_hash', 'filename_download'])
      expect((await ask(world, `GET /_/files?filter[${hidden}][contains]=a`, { as: 'editor' })).status, hidden).toBe(
        403,
      )
    await change(['*'])
  })

  test('a share opens the file of its item and no other', async () => {
    const model = [
      ask(world, 'POST /collections', {
        body: {
          collection: 'albums',
          schema: {},
          fields: [
            { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
            { field: 'cover', type: 'uuid' },
          ],
        },
      }),
      () =>
        ask(world, 'POST /relations', {
          body: { collection: 'albums', field: 'cover', related_collection: 'platform_files' },
        }),
    ]
    for (const step of model) expect((await (typeof step === 'function' ? step() : step)).status).toBe(200)
    const other = await upload('mine', 'other.txt')
    const album = await rowOf(ask(world, 'POST /items/albums', { body: { cover: id } }))
    const role = await rowOf(ask(world, 'GET /users/me?fields=role'))
    const share = await rowOf(
      ask(world, 'POST /shares', {
        body: { collection: 'albums', item: JSON.stringify(album.id), role: role['role'] },
      }),
    )
    const session = await rowOf(ask(world, 'POST /shares/auth', { as: 'public', body: { share: share.id } }))
    const visit = (path: string): Promise<Response> =>
      fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${String(session['access_token'])}` } })
    expect((await measure(visit(`/assets/${id}?width=40`))).size).toEqual([40, 20])
    expect((await visit(`/_/assets/${hash}`)).status).toBe(200)
    expect((await visit(`/assets/${other.id}`)).status).toBe(403)
    expect((await visit(`/uploads/_/originals/${String(other['filename_disk'])}`)).status).toBe(404)
    expect((await fetch(`${world.url}/files/${id}`, { method: 'DELETE', headers: visitor(session) })).status).toBe(403)
    const body = formOf(Buffer.from('x'), 'x.txt')
    expect((await fetch(`${world.url}/files`, { method: 'POST', headers: visitor(session), body })).status).toBe(403)
    await world.reset('model')
  })

  test.each<UserKind>(['nobody', 'editor', 'writer'])(
    '%s puts no file into storage without the right to it',
    async (as) => {
      const before = readdirSync(join(folder, 'uploads')).length
      const refused = as === 'writer' ? 204 : 403
      const own = formOf(Buffer.from('mine'), 'mine.txt')
      expect((await ask(world, 'POST /files', { as, body: own })).status).toBe(refused)
      expect(readdirSync(join(folder, 'uploads'))).toHaveLength(before + (as === 'writer' ? 1 : 0))
    },
  )
})
