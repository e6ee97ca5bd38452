import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { entriesOf, imagePath, unpackImage } from './image.ts'
import { makeImage } from './make-image.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-image-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function entry(name: string, options: { type?: string; content?: string; size?: number } = {}): Buffer {
  const { type = '0', content = '' } = options
  const { size = content.length } = options
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(size.toString(8).padStart(11, '0'), 124)
  header.write(type, 156)
  return Buffer.concat([header, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0'))])
}

test('a new database comes from the image, and keeps its rows', async () => {
  expect(await makeImage()).toBe(imagePath())
  const open = () => openDatabase({ kind: 'pglite', dataDir: folder, acquireTimeout: 60_000 })
  const first = await open()
  // The image has no templates.
  expect((await first.run({ text: 'select datname from pg_database', values: [] })).rows).toEqual([
    { datname: 'postgres' },
  ])
  await first.run({ text: 'create table kept (id integer); insert into kept values (7)', values: [] })
  await first.close()
  const second = await open()
  expect((await second.run({ text: 'select id from kept', values: [] })).rows).toEqual([{ id: 7 }])
  await second.close()
  expect((await stat(join(folder, 'database'))).mode & 0o777).toBe(0o700)
})

test('without an image nothing is unpacked', async () => {
  expect(await unpackImage(join(folder, 'missing.tar'), join(folder, 'database'))).toBe(false)
  await expect(stat(join(folder, 'database'))).rejects.toThrow('ENOENT')
})

test('files of an interrupted start are not part of the next one', async () => {
  const image = join(folder, 'image.tar')
  const archive = [entry('/base', { type: '5' }), entry('/base/1', { content: 'rows' }), Buffer.alloc(1024)]
  await writeFile(image, Buffer.concat(archive))
  const left = `${join(folder, 'database')}.${process.pid}.new`
  await mkdir(left)
  await writeFile(join(left, 'half'), 'half')
  expect(await unpackImage(image, join(folder, 'database'))).toBe(true)
  expect(await readFile(join(folder, 'database/base/1'), 'utf8')).toBe('rows')
  await expect(stat(join(folder, 'database/half'))).rejects.toThrow('ENOENT')
  await expect(stat(left)).rejects.toThrow('ENOENT')
})

test('an archive that is cut off, and one with links, are refused', () => {
  const cut = entry('/base/1', { content: 'rows', size: 5000 })
  expect(() => [...entriesOf(cut)]).toThrow('The archive ends within /base/1')
  expect(() => [...entriesOf(entry('/base/2', { type: '2' }))]).toThrow(
    'Expected a file or a folder but /base/2 has the type 2',
  )
})

test('names stay inside the folder', () => {
  expect([...entriesOf(entry('../../outside', { content: 'x' }))].map(({ name }) => name)).toEqual(['/outside'])
})
