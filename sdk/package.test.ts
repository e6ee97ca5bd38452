/** The package as it is published: built, packed, and installed from its tarball into an empty folder. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
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
  server = createServer((_, res) => {
    res.setHeader('content-type', 'application/json').end('{"data":[{"id":1,"title":"A"}]}')
  }).listen(0, '127.0.0.1')
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
