/** Type generators of the known platform, as npm has them, against a server that speaks its names. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { compileTypes } from './compile-types.ts'
import { openOwnDatabase } from './own-database.ts'

const tables = `
  create table authors (id serial primary key, name text not null);
  create table articles (id serial primary key, title text not null, price numeric(8,2), tags text,
    author integer references authors, cover uuid references platform_files);
  create table site (id serial primary key, title text);
  insert into platform_collections (collection, singleton) values ('authors', false), ('articles', false), ('site', true);
  insert into platform_fields (collection, field, special, interface) values
    ('articles', 'tags', 'cast-csv', 'tags'), ('articles', 'author', 'm2o', 'select-dropdown-m2o'), ('articles', 'cover', 'file', 'file-image'), ('authors', 'articles', 'o2m', 'list-o2m');
  insert into platform_relations (many_collection, many_field, one_collection, one_field)
    values ('articles', 'author', 'authors', 'articles')`
const folder = mkdtempSync(join(tmpdir(), 'tandem-generators-'))

const own = await openOwnDatabase(tables, { SYSTEM_COLLECTION_PREFIX: 'directus_' })
await own.ask('PATCH /users/me', { body: { password: 'a password for tests' } })
afterAll(async () => {
  await own.close()
  rmSync(folder, { recursive: true })
})

const program = (name: string, path: string): string =>
  fileURLToPath(new URL(`../node_modules/${name}/${path}`, import.meta.url))

/** Runs a generator; returns the file that it wrote. */
async function generate(path: string, options: readonly string[]): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.ts`)
  await promisify(execFile)(process.execPath, [path, ...options, file], { cwd: folder, timeout: 60_000 })
  return readFileSync(file, 'utf8')
}

type Use = { readonly right: readonly string[]; readonly wrong: readonly string[] }

/** The generated file compiles, and takes the values that are right and no other. */
function expectTypes(types: string, { right, wrong }: Use): void {
  const body = [...right, ...wrong.map((each) => `// @ts-expect-error not the type of the field\n${each}`)].join('\n')
  const { failures } = compileTypes({ 'types.ts': types, 'use.ts': `import type * as all from './types.ts'\n${body}` })
  expect(failures).toEqual([])
}

test('directus-sdk-typegen', async () => {
  const path = program('directus-sdk-typegen', 'dist/index.js')
  const types = await generate(path, ['-u', own.url, '-t', own.adminToken, '-o'])
  expectTypes(types, {
    right: [
      `export const a: all.Article = { id: 1, title: 'One', tags: ['x'], author: { id: 1, name: 'Ann' }, cover: null }`,
      `export const one: all.Schema['site'] = { id: 1, title: 'Shop' }`,
      `export const many: all.Schema['articles'] = [a]`,
    ],
    wrong: [
      `export const b: all.Article = { id: 1, title: 2 }`,
      `export const c: all.Author = { id: 1, articles: [2.5, true] }`,
    ],
  })
})

test('directus-typeforge', async () => {
  const path = program('directus-typeforge', 'build/cli.cjs')
  const types = await generate(path, ['-h', own.url, '-t', own.adminToken, '-o'])
  expectTypes(types, {
    right: [
      `export const author: all.ApiCollections['articles'][number]['author'] = { id: 1, name: 'Ann', articles: [1] }`,
      `export const site: all.ApiCollections['site'] = { id: 1, title: 'Shop' }`,
      `export const tags: all.Article['tags'] = ['x']`,
    ],
    wrong: [`export const title: all.Article['title'] = 1`, `export const cover: all.Article['cover'] = 1`],
  })
})

test('directus-typescript-gen', async () => {
  const path = program('directus-typescript-gen', 'build/cli.cjs')
  const login = ['-h', own.url, '-e', 'admin@example.com', '-p', 'a password for tests']
  const types = await generate(path, [...login, '-o'])
  expectTypes(types, {
    right: [
      `export const title: all.Schema['articles'][number]['title'] = 'One'`,
      `export const id: all.Schema['authors'][number]['id'] = 1`,
    ],
    wrong: [`export const wrong: all.Schema['articles'][number]['title'] = true`],
  })
})
