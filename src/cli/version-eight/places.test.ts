/** Where the files of an installation come from, and which project takes it over; relations that lead to nothing. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test, vi } from 'vitest'
import { createScratch } from '../../sql/sources/mysql/test-mysql.ts'
import { createS3Storage } from '../../storage/s3.ts'
import { openTestBucket } from '../../storage/test-bucket.ts'
import { createDatabase, openServer, run } from '../test-program.ts'
import { annToken, magazine, originals } from './test-magazine.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function open(...more: readonly string[]) {
  const [source, place] = [await createScratch(), await createDatabase({ isEmbedded: true, isMigrated: true })]
  closing.push(source.drop, place.remove)
  await source.run(...magazine(), ...more)
  return { source, settings: place.settings, words: ['import', 'version-8', '--from', source.url] }
}

test('originals in a bucket are found in the folder above, too', async () => {
  const { settings, words } = await open()
  const { options, close } = await openTestBucket()
  closing.push(close)
  const storage = createS3Storage({ ...options, root: 'old/originals' })
  for (const [name, text] of Object.entries(originals)) await storage.write(name, Readable.from([Buffer.from(text)]))
  storage.close()
  const query = `region=${options.region}&endpoint=${encodeURIComponent(options.endpoint ?? '')}`
  const keys = { AWS_ACCESS_KEY_ID: options.key ?? '', AWS_SECRET_ACCESS_KEY: options.secret ?? '' }
  const done = await run({ ...settings, ...keys }, ...words, '--files', `s3://${options.bucket}/old?${query}`)
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).toContain('Files: 2 copied (14 bytes), 0 present, 1 missing')
})

const away = `insert into directus_relations (id, collection_many, field_many, collection_one, field_one)
  values (27, 'articles', 'sort', 'gone', null), (28, 'gone', 'x', 'articles', null), (29, 'articles', 'price', null, null)`

test('a project of PROJECTS_DIR takes an installation over, without relations that lead to nothing', async () => {
  const { settings, words } = await open(away)
  const config = join(settings['DATA_DIR'] as string, 'config')
  mkdirSync(config)
  const blog = { database: { type: 'pglite' }, storage: { adapter: 'local', root: 'uploads/blog' } }
  writeFileSync(join(config, 'api.blog.json'), JSON.stringify(blog))
  const own = { ...settings, PROJECTS_DIR: config, ADMIN_SETUP: 'false' }
  const files = join(settings['DATA_DIR'] as string, 'old')
  mkdirSync(files)
  for (const [name, text] of Object.entries(originals)) writeFileSync(join(files, name), text)
  const take = (...more: readonly string[]) => run(own, ...words, '--project', 'blog', '--files', files, ...more)
  const done = await take()
  // The contents of one file are lost there.
  expect([done.code, done.error]).toEqual([4, ''])
  for (const line of [
    'The relation 27 of articles.sort is left out: it leads to gone, which is not there',
    'The relation 28 of gone.x is left out: there is no such table',
    'The relation 29 of articles.price is left out: it leads to nothing, which is not there',
  ])
    expect(done.out.split('\n')).toContain(line)
  expect((await take()).out).toMatch(/^directus_users +4 +4 +0 +0 +0 +0 +0 +equal$/m)
  // The server reads the contents where the import has written them.
  const server = await openServer(own)
  const asset = await fetch(`${server.url}/blog/assets/hash2hash2`, {
    headers: { authorization: `Bearer ${annToken}` },
  })
  expect([asset.status, await asset.text()]).toEqual([200, originals['file-2.txt']])
  await server.close()
  // The default project has nothing of it.
  const other = await run(settings, ...words)
  expect(other.out).toMatch(/^directus_users +4 +4 +4 +0 +0 +0 +0 +equal$/m)
})
