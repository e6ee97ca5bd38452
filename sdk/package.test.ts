/** The package as it is published: built, packed, and installed from its tarball into an empty folder. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc')
const npm = (cwd: string, ...parameters: readonly string[]): string =>
  execFileSync('npm', parameters, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** What a server answers to callers with a token; others are told that they have no rights. */
const answers: { readonly [path: string]: unknown } = {
  '/items/articles': [{ id: 1, title: 'A' }],
  '/collections': [{ collection: 'articles', schema: {} }, { collection: 'platform_users' }],
  '/fields': [
    {
      collection: 'articles',
      field: 'id',
      type: 'integer',
      schema: { is_nullable: false, is_primary_key: true, has_auto_increment: true },
    },
    { collection: 'articles', field: 'title', type: 'string', schema: { is_nullable: false } },
    { collection: 'articles', field: 'author', type: 'uuid', schema: { is_nullable: true } },
    { collection: 'platform_users', field: 'email', type: 'string', schema: { is_nullable: true } },
  ],
  '/relations': [{ collection: 'articles', field: 'author', related_collection: 'platform_users', meta: null }],
  '/permissions/me': {
    articles: { read: { fields: ['*'] }, create: { fields: ['title'] }, update: { fields: ['title'] } },
  },
}

const answer: RequestListener = ({ url: address = '', headers }, response) => {
  const path = address.replace(/\?.*$/, '')
  response.statusCode = headers.authorization === 'Bearer t' ? 200 : 403
  if (path.startsWith('/page/')) response.end('<!doctype html>')
  else response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: answers[path] }))
}

const typesOfServer = `// Written by \`tandem types\`. Write it anew when the data model or the rights change.
import type { Rules, User, Uuid } from '@tandem/sdk/current'

/** The collections: \`createCurrentClient<Schema>(…)\`. */
export interface Schema {
  articles: Articles[]
}

export interface Articles extends Rules<'title', 'id' | 'author'> {
  id: number
  author: Uuid | User | null
  title: string
}
`

let folder: string
let tarball: string
let server: Server
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-sdk-'))
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts')])
  npm(join(import.meta.dirname, 'dist'), 'pack', '--pack-destination', folder)
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "private": true }')
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', tarball)
  server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 120_000)
afterAll(() => {
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('it holds modules, types and two texts, and depends on nothing', () => {
  const installed = join(folder, 'node_modules/@tandem/sdk')
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name }) => name.replace(/^[\w.-]+?(\.d\.ts|\.js)$/, '*$1'))
  expect([...new Set(files)].toSorted()).toEqual(['*.d.ts', '*.js', 'LICENSE', 'README.md', 'package.json'])
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object
  expect(manifest).not.toHaveProperty('private')
  expect(manifest).not.toHaveProperty('dependencies')
  expect(JSON.stringify(manifest)).not.toContain('tandem-src')
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: join(import.meta.dirname, 'dist'), strict: true })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
})

test('the types are right for every way of importing', async () => {
  const packed = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)))
  const { types, problems } = (await checkPackage(packed)) as { types: unknown; problems: readonly { kind: string }[] }
  expect(types).not.toBe(false)
  // Resolution without `exports` is that of TypeScript before 4.7, which names no paths of a package.
  expect(problems.filter((each) => !('resolutionKind' in each && each.resolutionKind === 'node10'))).toEqual([])
})

const script = `
const client = createCurrentClient({ url: process.argv[2], token: 't' })
client.items('articles').read({ fields: ['id'] }).then((found) => {
  console.log(JSON.stringify(found), typeof createLegacyClient, typeof checkAnswers)
})`

test.each([
  [
    'app.mjs',
    `import { createCurrentClient } from '@tandem/sdk'
import { createLegacyClient } from '@tandem/sdk/legacy'
import { checkAnswers } from '@tandem/sdk/check'`,
  ],
  [
    'app.cjs',
    `const { createCurrentClient } = require('@tandem/sdk/current')
const { createLegacyClient } = require('@tandem/sdk/legacy')
const { checkAnswers } = require('@tandem/sdk/check')`,
  ],
])('%s reads a list', async (name, head) => {
  writeFileSync(join(folder, name), `${head}${script}`)
  const { stdout } = await run(process.execPath, [name, url], { cwd: folder })
  expect(stdout.trim()).toBe('[{"id":1,"title":"A"}] function function')
})

/** `npx` finds the program by the name of the package, as there is only one. */
async function npx(...words: readonly string[]) {
  const options = { cwd: folder, env: { ...process.env, npm_config_offline: 'true' } }
  const ran = run('npx', ['@tandem/sdk', ...words], options).then((texts) => ({ code: 0, ...texts }))
  const { code, stdout, stderr } = await ran.catch((error: { code: number; stdout: string; stderr: string }) => error)
  return { code, stdout, stderr }
}

test('its program writes the types of a server', async () => {
  expect(await npx('types', '--url', `${url}/`, '--token', 't')).toEqual({ code: 0, stdout: typesOfServer, stderr: '' })
  const written = await npx('types', '--url', url, '--token', 't', '--output', 'schema.d.ts')
  expect(written).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(join(folder, 'schema.d.ts'), 'utf8')).toBe(typesOfServer)
})

test('its program tells which types of a file differ', async () => {
  const asked = ['types', '--url', url, '--token', 't', '--check', 'checked.d.ts']
  writeFileSync(join(folder, 'checked.d.ts'), typesOfServer)
  expect(await npx(...asked)).toEqual({ code: 0, stdout: 'Nothing differs.\n', stderr: '' })
  writeFileSync(join(folder, 'checked.d.ts'), typesOfServer.replace(/^  id: number$/m, '  id: string\n  gone: number'))
  expect(await npx(...asked)).toEqual({
    code: 3,
    stdout: expect.stringMatching(/^\w+\.gone is gone\n\w+\.id: string → number\n$/),
    stderr: '',
  })
})

test.each([
  [1, ['types', '--url', '$url'], /^tandem-sdk: GET \S+ was forbidden: the token has to read the data model, .*\n$/],
  [1, ['types', '--url', '$url/page', '--token', 't'], /^tandem-sdk: GET \S+ answered with something else .*<!doctype/],
  [1, ['types', '--url', 'http://127.0.0.1:1'], /^tandem-sdk: GET http:\/\/127\.0\.0\.1:1\/\w+ failed: .+\n$/],
  [2, ['types'], /^tandem-sdk: --url: expected an address such as "https:\/\/api\.example\.com", got nothing\n$/],
  [2, ['types', '--url', 'localhost:8055'], /--url: expected an address .*, got localhost:8055\n$/],
  [2, ['types', '--snapshot', 'a.yaml'], /^tandem-sdk: Unknown option '--snapshot'; see --help\n$/],
  [
    2,
    ['types', '--url', '$url', '--check', 'none.d.ts'],
    /^tandem-sdk: --check: expected a file of types, got no such file\n$/,
  ],
  [
    2,
    ['types', '--url', '$url', '--check', 'a', '--output', 'b'],
    /^tandem-sdk: --check: expected no --output beside it/,
  ],
  [2, ['start'], /^tandem-sdk: expected the command "types", got start; see --help\n$/],
])('its program fails with %i: %j', async (code, words, stderr) => {
  const found = await npx(...words.map((word) => word.replace('$url', url)))
  expect(found).toEqual({ code, stdout: '', stderr: expect.stringMatching(stderr) })
})

test('its program explains itself', async () => {
  const found = await npx('--help')
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(found.stdout).toMatch(/^Usage: tandem-sdk types --url <address>/)
})

test.each([
  ['nodenext', ['app.mts', 'app.cts']],
  ['bundler', ['app.ts']],
])('it is typed for %s', (resolution, names) => {
  const text = `import { createCurrentClient } from '@tandem/sdk'
const client = createCurrentClient<{ articles: { id: number; title: string }[] }>({ url: 'https://a.example' })
export const titles: Promise<string[]> = client.items('articles').read({ fields: ['title'] }).then((all) => all.map(({ title }) => title))
// @ts-expect-error -- there is no such field
export const wrong = client.items('articles').read({ fields: ['subtitle'] })
`
  for (const name of names) writeFileSync(join(folder, name), text)
  const module = resolution === 'bundler' ? 'esnext' : resolution
  const options = `--strict --noEmit --ignoreConfig --types --module ${module} --moduleResolution ${resolution} --target es2022 --lib es2022,dom,dom.iterable`
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options.split(' '), ...names], { cwd: folder })
  expect([status, stdout.toString()]).toEqual([0, ''])
})
