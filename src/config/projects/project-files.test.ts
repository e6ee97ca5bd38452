import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { draftProjectFile, projectKeyOf, readProjectFile, readProjectsFolder } from './project-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-project-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text = '{}'): void => writeFileSync(join(folder, name), text)

test('files, flags and the lock are found by their names', async () => {
  const names = ['api.json', 'api.php', 'api.blog.php', 'private.shop.json', 'api.Blog.json', 'api.a.b.json', 'x.json']
  for (const name of [...names, 'maintenance', 'maintenance.blog', '.lock']) write(name)
  const { files, resting, isLocked, ignored } = await readProjectsFolder(folder)
  expect(files.map(({ key, kind, isPrivate }) => [key, kind, isPrivate])).toEqual([
    ['blog', 'php', false],
    ['_', 'json', false],
    ['shop', 'json', true],
  ])
  expect([[...resting], isLocked, ignored]).toEqual([['_', 'blog'], true, ['api.Blog.json', 'api.a.b.json']])
})

test('files of version 8.8 have the key alone as their name', async () => {
  for (const name of ['cms.php', 'api.cms.php', 'private.shop.php', 'shop.php', 'news.php', 'news.json', '_.php'])
    write(name)
  for (const name of ['_example.php', '.hidden.php', 'CMS.php', 'a.b.php', 'notes.txt']) write(name)
  const { files, ignored } = await readProjectsFolder(folder)
  expect(files.map(({ key, path, isPrivate }) => [key, basename(path), isPrivate])).toEqual([
    ['_', '_.php', false],
    ['cms', 'api.cms.php', false],
    ['news', 'news.php', false],
    ['shop', 'private.shop.php', true],
  ])
  expect(ignored).toEqual(['CMS.php'])
  expect(['cms.php', 'api.php', 'x/api.cms.json', '_example.php'].map(projectKeyOf)).toEqual(['cms', '_', 'cms', null])
})

test('a folder that is not there is empty', async () => {
  const found = await readProjectsFolder(join(folder, 'nowhere'))
  expect(found).toEqual({ files: [], resting: new Set(), isLocked: false, ignored: [] })
})

test('both kinds of files are read', async () => {
  write('api.json', '{"database": {"name": "blog"}}')
  write('api.php', "<?php return ['database' => ['name' => 'blog']];")
  const expected = { database: { name: 'blog' } }
  expect(await readProjectFile({ path: join(folder, 'api.json'), kind: 'json' })).toEqual(expected)
  expect(await readProjectFile({ path: join(folder, 'api.php'), kind: 'php' })).toEqual(expected)
})

test.each([
  ['json', '{\n"password": "open-sesame" x}', 'Expected JSON in line 2 but received something else'],
  [
    'php',
    "<?php\nreturn ['password' => 'open-sesame' 'x'];",
    'Expected PHP code in line 2 but received something else',
  ],
] as const)('a broken %s file is named by its line, and not quoted', async (kind, text, message) => {
  write(`api.${kind}`, text)
  const thrown: unknown = await readProjectFile({ path: join(folder, `api.${kind}`), kind }).catch((error) => error)
  expect([(thrown as Error).message, (thrown as Error).cause]).toEqual([message, undefined])
})

test('a file that is too large is not read', async () => {
  write('api.json', ' '.repeat(1_048_577))
  const read = readProjectFile({ path: join(folder, 'api.json'), kind: 'json' })
  await expect(read).rejects.toThrow('Expected at most 1048576 bytes but received 1048577')
})

test('a draft is placed once, and only its owner can read it', async () => {
  const path = join(folder, 'api.blog.json')
  const [one, other] = [await draftProjectFile(path, { a: 1 }), await draftProjectFile(path, { a: 2 })]
  await one.save()
  await expect(other.save()).rejects.toMatchObject({ code: 'EEXIST' })
  await one.drop()
  await other.drop()
  expect(readdirSync(folder)).toEqual(['api.blog.json'])
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['{\n  "a": 1\n}\n', 0o600])
})
