import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { adminToken, createDatabase, openServer, run, startServer } from './test-program.ts'

const database = await createDatabase({ isMigrated: true })
const settings: { readonly [name: string]: string } = {
  ...database.settings,
  ADMIN_TOKEN: adminToken,
  LOG_LEVEL: 'error',
}
afterAll(() => database.remove())

const uploads = (): string => join(settings['DATA_DIR'] as string, 'uploads')

/** Uploads files of the given size until the server is gone; `answered` gets their ids. */
async function uploadUntilGone(url: string, size: number, answered: (id: string) => void): Promise<void> {
  for (;;) {
    try {
      const body = new FormData()
      body.set('file', new File(['x'.repeat(size)], 'x.txt'))
      const headers = { authorization: `Bearer ${adminToken}` }
      const response = await fetch(`${url}/files`, { method: 'POST', headers, body })
      const { data } = (await response.json()) as { data: { id: string } }
      answered(data.id)
    } catch {
      return
    }
  }
}

/** Ages everything by a day, so that leftovers are old enough to be removed. */
async function ageEverything(): Promise<void> {
  await database.onDatabase((db) =>
    db.run({ text: `update platform_stored_objects set since = since - interval '1 day'`, values: [] }),
  )
  const yesterday = Date.now() / 1000 - 86_400
  for (const name of readdirSync(uploads())) utimesSync(join(uploads(), name), yesterday, yesterday)
}

type Row = { readonly id: string; readonly filename_disk: string; readonly filesize: string }

const rowsNow = (): Promise<readonly Row[]> =>
  database.onDatabase(async (db) => {
    const { rows } = await db.run({ text: 'select id, filename_disk, filesize from platform_files', values: [] })
    return rows as readonly Row[]
  })

test('a server killed in the middle of uploads leaves rows with their bytes, and the next start removes the rest', async () => {
  const acknowledged: string[] = []
  const server = await startServer(settings)
  const enough = Promise.withResolvers<void>()
  const work = [200, 200, 3_000_000, 3_000_000].map((size) =>
    uploadUntilGone(server.url, size, (id) => {
      acknowledged.push(id)
      if (acknowledged.length >= 8) enough.resolve()
    }),
  )
  await enough.promise
  // At a random point of the following uploads.
  await new Promise((resolve) => setTimeout(resolve, 7))
  await server.stop('SIGKILL')
  await Promise.all(work)
  await ageEverything()
  await (await openServer(settings)).close()
  const rows = await rowsNow()
  const ids = new Set(rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  expect(readdirSync(uploads()).toSorted()).toEqual(rows.map((row) => row.filename_disk).toSorted())
  for (const row of rows) expect(statSync(join(uploads(), row.filename_disk)).size).toBe(Number(row.filesize))
  const left = await database.onDatabase((db) => db.run({ text: 'select 1 from platform_stored_objects', values: [] }))
  expect(left.count).toBe(0)
}, 300_000)

test('tandem files sweep reports and deletes orphans, and leaves foreign objects alone', async () => {
  mkdirSync(uploads(), { recursive: true })
  const orphan = `${crypto.randomUUID()}.jpg`
  for (const name of [orphan, 'by-hand.txt']) {
    writeFileSync(join(uploads(), name), 'x')
    utimesSync(join(uploads(), name), 1, 1)
  }
  const swept = await run(settings, 'files', 'sweep', '--dry-run')
  expect(swept.out).toContain(`Would delete local: ${orphan}\nKept, belongs to no file: local: by-hand.txt\n`)
  expect(readdirSync(uploads())).toContain(orphan)
  const text = `insert into platform_stored_objects (storage, key) values ('local', 'coming.txt')`
  await database.onDatabase((db) => db.run({ text, values: [] }))
  const done = await run(settings, 'files', 'sweep')
  expect(done.out).toContain('Kept, being written or interrupted less than 5 minutes ago: local: coming.txt\n')
  expect([done.code, done.out]).toEqual([0, expect.stringContaining(`Deleted local: ${orphan}\n`)])
  expect(readdirSync(uploads())).not.toContain(orphan)
  expect(readdirSync(uploads())).toContain('by-hand.txt')
}, 180_000)
