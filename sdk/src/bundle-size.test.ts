/** What an application loads: a client, and what each further call adds to it. The README has the table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

type Generation = 'current' | 'legacy'

const makers = { current: 'createCurrentClient', legacy: 'createLegacyClient' } as const

/** Bytes of a minified and compressed module that does this with the SDK. */
async function sizeOf(generation: Generation, names: string, use: string): Promise<number> {
  const entry = join(import.meta.dirname, `${generation}.ts`)
  const source = `import { ${makers[generation]}, ${names} } from '${entry}'\n${use}`
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? source : null),
      },
    ],
    build: { write: false, minify: true, target: 'es2022', rollupOptions: { input: 'entry' }, modulePreload: false },
  })
  const [output] = [made].flat()
  if (output === undefined || !('output' in output)) throw new Error('nothing was built')
  const code = output.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
  return gzipSync(code, { level: 9 }).length
}

const clientOf = (generation: Generation) => `${makers[generation]}({ url: 'https://a.example' })`
const itemsOf = (generation: Generation) =>
  `const client = ${clientOf(generation)}\nglobalThis.answer = [client.login({}), client.items('a').read()]`
const bases = {
  current: await sizeOf('current', '', itemsOf('current')),
  legacy: await sizeOf('legacy', '', itemsOf('legacy')),
}

const resource = (name: string, call: string) => (generation: Generation) =>
  sizeOf(generation, name, `${itemsOf(generation)}\nclient.with({ ${name} }).${name}.${call}`)

/** What is added, by whom, its limit in bytes. */
const additions = [
  ['current', '`users`', resource('users', 'readMe()'), 400],
  ['current', '`roles`', resource('roles', 'read()'), 400],
  ['current', '`fields`', resource('fields', "readOne('a', 'b')"), 400],
  ['current', '`schema`', resource('schema', 'snapshot()'), 400],
  ['current', '`versions`', resource('versions', "compare('a')"), 400],
  ['current', '`utils`', resource('utils', 'clearCache()'), 400],
  ['current', '`files`, with uploads', resource('files', 'read()'), 3100],
  [
    'current',
    'one of `operations`',
    (generation: Generation) =>
      sizeOf(generation, 'operations', `${itemsOf(generation)}\noperations.readUsers(client, {})`),
    150,
  ],
  ['legacy', '`users`', resource('users', 'readMe()'), 400],
  ['legacy', '`files`', resource('files', 'readOne(1)'), 400],
  ['legacy', '`settings`', resource('settings', 'read()'), 400],
] as const

test.each([
  ['current', 4750],
  ['legacy', 4500],
] as const)('a client of the %s generation with login and items is small', (generation, limit) => {
  expect(bases[generation]).toBeLessThan(limit)
})

const added = await Promise.all(
  additions.map(async ([generation, , make]) => (await make(generation)) - bases[generation]),
)

test.each(additions.map(([generation, what, , limit], at) => [generation, what, limit, added[at] as number] as const))(
  '%s: %s adds less than %i bytes',
  (_generation, _what, limit, size) => {
    expect(size).toBeLessThan(limit)
  },
)

const inKilobytes = (bytes: number) => `${(Math.ceil(bytes / 100) / 10).toFixed(1)} kB`

test('the README has these sizes', () => {
  const rows = [
    ...(['current', 'legacy'] as const).map((each) => [each, 'client with login and items', inKilobytes(bases[each])]),
    ...additions.map(([generation, what], at) => [generation, `+ ${what}`, inKilobytes(added[at] as number)]),
  ]
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  expect(readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')).toContain(table)
})
