/** The package as it is published: built, packed, and installed from its tarball into an empty folder. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { booksWith } from './testing/books.ts'

const run = promisify(execFile)
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc')
const npm = (cwd: string, ...parameters: readonly string[]): string =>
  execFileSync('npm', parameters, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const dist = join(import.meta.dirname, 'dist')

const folder = mkdtempSync(join(tmpdir(), 'tandem-mock-'))
execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts')])
npm(dist, 'pack', '--pack-destination', folder)
const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
writeFileSync(join(folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
npm(folder, 'install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', tarball)
const installed = join(folder, 'node_modules/@tandem/mock')
mkdirSync(join(folder, 'node_modules'), { recursive: true })
const msw = join(dirname(fileURLToPath(import.meta.resolve('msw/package.json'))))
symlinkSync(msw, join(folder, 'node_modules/msw'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it holds one module, a program, types and three texts, and depends on MSW alone', async () => {
  expect(readdirSync(installed, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'THIRD-PARTY.md',
    'api.d.ts',
    'folder.d.ts',
    'folder.js',
    'main.js',
    'mock.d.ts',
    'mock.js',
    'package.json',
  ])
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object
  expect(manifest).toHaveProperty('peerDependencies', { msw: '>=2.0.0' })
  for (const name of ['private', 'dependencies', 'scripts']) expect(manifest).not.toHaveProperty(name)
  const code = readFileSync(join(installed, 'mock.js'), 'utf8')
  const { importedFiles } = ts.preProcessFile(code)
  expect(importedFiles.map(({ fileName }) => fileName)).toEqual(['msw'])
  const { messages, pkg } = await publint({ pkgDir: dist, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
})

test('its program tells how to use it', async () => {
  const { stdout } = await run(join(folder, 'node_modules/.bin/tandem-mock'), ['--help'])
  expect(stdout).toContain('tandem-mock --schema <file>')
})

test('its program serves sockets without a package of its own', async () => {
  writeFileSync(join(folder, 'model.json'), JSON.stringify(schema))
  const args = ['--schema', join(folder, 'model.json'), '--port', '0']
  const program = spawn(join(folder, 'node_modules/.bin/tandem-mock'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(program.stdout, 'data')) as [Buffer]
    const url = /http:\/\/\S+/.exec(line.toString())?.[0].replace('http', 'ws')
    const socket = new WebSocket(`${url}/websocket`)
    await once(socket, 'open')
    socket.send('{"type":"items","action":"create","collection":"books","data":{"title":"One"},"uid":"own"}')
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent]
    expect(JSON.parse(String(data))).toMatchObject({ type: 'items', data: { title: 'One' }, uid: 'own' })
    socket.close()
  } finally {
    program.kill()
  }
})

test('the README tells its size', () => {
  const size = Math.round(gzipSync(readFileSync(join(installed, 'mock.js'))).length / 1000)
  const stated = /(\d+) kB gzip/.exec(readFileSync(join(installed, 'README.md'), 'utf8'))?.[1]
  expect(Math.abs(size - Number(stated))).toBeLessThanOrEqual(size / 10)
})

const schema = booksWith({ title: { type: 'string', schema: { data_type: 'varchar', max_length: 20 } } })

/** The tail gives `send`, which asks the mock. */
const script = (head: string, tail: string): string => `${head}
import { createMock } from '@tandem/mock'
const url = 'http://mock.example'
const mock = createMock({ url, schema: ${JSON.stringify(schema)}, rows: { books: [{ title: 'One' }] } })
${tail}
const ask = async (path, body) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await send(new Request(url + path, body && init))
  return [answer.status, await answer.json()]
}
const form = new FormData()
form.set('file', new File(['contents'], 'a.txt', { type: 'text/plain' }))
const upload = await send(new Request(url + '/files', { method: 'POST', body: form }))
const { data: file } = await upload.json()
const asset = await send(new Request(url + '/assets/' + file.id))
const person = { email: 'bo@example.com', password: 'correct-horse' }
console.log(JSON.stringify([
  [asset.status, await asset.text(), file.filesize],
  (await ask('/users', person))[0],
  (await ask('/auth/login', person))[0],
  (await ask('/auth/login', { ...person, password: 'wrong' }))[0],
  await ask('/graphql/system', { query: '{ users(filter: { email: { _eq: "bo@example.com" } }) { email password } }' }),
  await ask('/_/gql', { query: '{ books { data { title } } }' }),
  await ask('/items/books'),
  await ask('/items/books', { title: 'Two – zwölf' }),
  await ask('/items/books/2'),
  await ask('/items/books?filter[title][_starts_with]=On&fields=id'),
  (await ask('/items/books', { title: 'x'.repeat(21) }))[0],
]))`

/** Node's own fetch takes its Buffer when it is first used. */
const withoutBuffer = `
new Request('http://mock.example')
globalThis.kept = globalThis.Buffer
delete globalThis.Buffer
`

const expected = [
  [200, 'contents', '8'],
  200,
  200,
  401,
  [200, { data: { users: [{ email: 'bo@example.com', password: '**********' }] } }],
  [200, { data: { books: { data: [{ title: 'One' }] } } }],
  [200, { data: [{ id: 1, title: 'One' }] }],
  [200, { data: { id: 2, title: 'Two – zwölf' } }],
  [200, { data: { id: 2, title: 'Two – zwölf' } }],
  [200, { data: [{ id: 1 }] }],
  400,
]

test.each([
  [
    'behind MSW',
    "import { setupServer } from 'msw/node'",
    'setupServer(...mock.handlers).listen()\nconst send = fetch',
  ],
  [
    'without Buffer, as in a browser',
    "import './bare.js'",
    'globalThis.Buffer = globalThis.kept\nconst send = mock.fetch',
  ],
])('a script lists, creates, reads back and filters, and a write is refused, %s', async (_, head, tail) => {
  writeFileSync(join(folder, 'bare.js'), withoutBuffer)
  writeFileSync(join(folder, 'app.js'), script(head, tail))
  const { stdout } = await run(process.execPath, ['app.js'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual(expected)
})

test.each([
  ['nodenext', ['app.mts']],
  ['bundler', ['app.ts']],
])('it is typed for %s', (resolution, names) => {
  const text = `import { createMock, type Mock } from '@tandem/mock'
const mock: Mock = createMock({ schema: { collections: [], fields: [], relations: [] } })
export const answer: Promise<Response> = mock.fetch(new Request('http://localhost:8055/items/books'))
// @ts-expect-error -- there is no such scenario
mock.scenario('on-fire')
`
  for (const name of names) writeFileSync(join(folder, name), text)
  const module = resolution === 'bundler' ? 'esnext' : resolution
  const options = `--strict --noEmit --ignoreConfig --types --module ${module} --moduleResolution ${resolution} --target es2022 --lib es2022,dom,dom.iterable,esnext --skipLibCheck`
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options.split(' '), ...names], { cwd: folder })
  expect([status, stdout.toString()]).toEqual([0, ''])
})
