/** What an application loads: a client, and what each further call adds to it. */
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'

const entry = join(import.meta.dirname, 'current.ts')

/** Bytes of a minified module that does this with the SDK. */
async function sizeOf(names: string, use: string): Promise<number> {
  const source = `import { createCurrentClient, ${names} } from '${entry}'\n${use}`
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

const client = "const client = createCurrentClient({ url: 'https://a.example' })"
const base = await sizeOf('', `globalThis.answer = ${client.replace('const client = ', '')}`)

test('a client is small', () => expect(base).toBeLessThan(9_000))

test.each([
  ['users', 'readMe()'],
  ['roles', 'read()'],
  ['permissions', 'readMine()'],
  ['collections', 'read()'],
  ['fields', "readOne('a', 'b')"],
  ['schema', 'snapshot()'],
  ['settings', 'read()'],
  ['versions', "compare('a')"],
  ['utils', 'clearCache()'],
])('client.%s.%s adds less than 1 kB', async (name, call) => {
  const made = await sizeOf(name, `${client}.with({ ${name} })\nglobalThis.answer = client.${name}.${call}`)
  expect(made - base).toBeLessThan(1_024)
})

test('one operation adds less than 200 bytes', async () => {
  const made = await sizeOf('operations', `${client}\nglobalThis.answer = operations.readUsers(client, {})`)
  expect(made - base).toBeLessThan(200)
})
