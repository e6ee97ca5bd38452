/** What a started server has loaded: libraries take memory for as long as it runs. */
import { expect, test, vi } from 'vitest'
import { adminToken, ask, createDatabase, startServer } from './test-program.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Notes the packages that are loaded, and prints them with the web client of Node when asked by a signal. */
const notes = `
import module from 'node:module'
const packages = new Set()
module.registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const [, name] = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url) ?? []
    if (name !== undefined) packages.add(name)
    return resolved
  },
})
process.on('SIGUSR2', () => {
  const client = process.moduleLoadList.some((name) => name.includes('undici')) ? ['web client'] : []
  console.log('loaded: ' + [...packages, ...client].join(' ') + ' :end')
})`

const onDemand = [
  '@modelcontextprotocol/server',
  'express-openapi-validator',
  'graphql',
  'graphql-ws',
  'mysql2',
  'web client',
]

test('a start and a plain read load no library that only other requests need', async () => {
  const database = await createDatabase({ isEmbedded: true })
  const server = await startServer({
    ...database.settings,
    ADMIN_TOKEN: adminToken,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(notes)}`,
  })
  const loaded = async (): Promise<readonly string[]> => {
    const before = server.printed().length
    server.child.kill('SIGUSR2')
    await vi.waitFor(() => expect(server.printed().slice(before)).toContain(':end'), 10_000)
    const text = / *loaded: (.*) :end/.exec(server.printed().slice(before))?.[1] ?? ''
    return onDemand.filter((name) => text.split(/ (?!client)/).includes(name))
  }
  try {
    expect((await ask(server.url, '/users/me?fields=email')).status).toBe(200)
    expect(await loaded()).toEqual([])
    const answer = await ask(server.url, '/graphql/system', { query: '{ users_me { email } }' })
    expect(answer).toEqual({ status: 200, body: { data: { users_me: { email: 'admin@example.com' } } } })
    expect(await loaded()).toEqual(['express-openapi-validator', 'graphql'])
  } finally {
    await server.stop()
    await database.remove()
  }
})
