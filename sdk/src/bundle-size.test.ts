/** What an application loads: a client, and what each further call adds to it. */
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'

type Generation = 'current' | 'legacy'

const makers = { current: 'createCurrentClient', legacy: 'createLegacyClient' } as const

/** Bytes of a minified module that does this with the SDK. */
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
  return output.output.reduce((sum, part) => sum + (part.type === 'chunk' ? Buffer.byteLength(part.code) : 0), 0)
}

const clientOf = (generation: Generation) => `${makers[generation]}({ url: 'https://a.example' })`
const baseOf = (generation: Generation) => sizeOf(generation, '', `globalThis.answer = ${clientOf(generation)}`)
const bases = { current: await baseOf('current'), legacy: await baseOf('legacy') }

test.each([
  ['current', 9_000],
  ['legacy', 8_000],
] as const)('a client of the %s generation is small', (generation, limit) => {
  expect(bases[generation]).toBeLessThan(limit)
})

test.each([
  ['current', 'users', 'readMe()'],
  ['current', 'roles', 'read()'],
  ['current', 'permissions', 'readMine()'],
  ['current', 'collections', 'read()'],
  ['current', 'fields', "readOne('a', 'b')"],
  ['current', 'schema', 'snapshot()'],
  ['current', 'settings', 'read()'],
  ['current', 'versions', "compare('a')"],
  ['current', 'utils', 'clearCache()'],
  ['legacy', 'users', 'readMe()'],
  ['legacy', 'roles', 'read()'],
  ['legacy', 'files', 'readOne(1)'],
  ['legacy', 'permissions', 'readMine()'],
  ['legacy', 'settings', 'read()'],
] as const)('%s: client.%s.%s adds less than 1 kB', async (generation, name, call) => {
  const use = `const client = ${clientOf(generation)}.with({ ${name} })\nglobalThis.answer = client.${name}.${call}`
  expect((await sizeOf(generation, name, use)) - bases[generation]).toBeLessThan(1_024)
})

test('one operation adds less than 200 bytes', async () => {
  const use = `const client = ${clientOf('current')}\nglobalThis.answer = operations.readUsers(client, {})`
  expect((await sizeOf('current', 'operations', use)) - bases.current).toBeLessThan(200)
})
