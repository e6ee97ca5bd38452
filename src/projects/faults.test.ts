/** Projects that cannot be opened answer for themselves; the others go on. */
import { afterAll, expect, test } from 'vitest'
import { as, codeOf, openTestProjects, tokenOf } from './test-projects.ts'

const database = { type: 'postgres', name: 'nothing', username: 'nobody', password: 'open-sesame' }
const world = await openTestProjects({
  unreachable: { database: { ...database, host: '127.0.0.1', port: 1 } },
  unknown: { database, color: 'red' },
  cached: { database, cache: { enabled: true, adapter: 'memcached' } },
  uncached: { database, cache: { enabled: true, adapter: 'redis' } },
  unstored: { database, storage: { adapter: 's3' } },
  outside: { database, storage: { adapter: 'local', root: '../..' } },
  mysql: { database: { ...database, type: 'oracle' } },
  items: { database },
})
afterAll(() => world.close())

const reason = (project: string): string => `The project "${project}" is not configured properly`

test.each([
  ['unreachable', 500, 11, 'The database of the project "unreachable" cannot be reached'],
  ['unknown', 503, 14, reason('unknown')],
  ['cached', 503, 22, reason('cached')],
  ['uncached', 503, 23, reason('uncached')],
  ['unstored', 500, 20, reason('unstored')],
  ['outside', 500, 16, reason('outside')],
  ['mysql', 503, 14, reason('mysql')],
])('%s: %i with code %i', async (project, status, code, message) => {
  const answer = await world.ask(`GET /${project}/users`)
  expect([answer.status, answer.body]).toEqual([status, { error: { code, message } }])
  expect((await world.ask('GET /_/users', as(tokenOf('_')))).status).toBe(200)
})

test('the current generation answers 503, and says when to try again', async () => {
  const unreachable = await world.ask('GET /users', { headers: { 'x-platform-project': 'unreachable' } })
  expect(codeOf(unreachable)).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(unreachable.headers.get('retry-after')).toBe('5')

  const answer = await world.ask('GET /users', { headers: { 'x-platform-project': 'unknown' } })
  expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE'])
})

test('a default project with a broken file is not configured properly, and the server starts', async () => {
  const broken = await openTestProjects({ _: { database, color: 'red' }, other: { database, color: 'red' } })
  const message = reason('_')
  expect((await broken.ask('GET /_/users')).body).toEqual({ error: { code: 14, message } })
  expect(codeOf(await broken.ask('GET /server/projects'))).toEqual([503, 14])
  expect(codeOf(await broken.ask('GET /items/articles'))).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect((await broken.ask('GET /other/users')).body).toEqual({ error: { code: 14, message: reason('other') } })
  await broken.close()
})

test('the log names the attribute, and no password', () => {
  const found = world.lines.filter(({ message }) => message === 'A project could not be opened')
  const details = found.map(({ detail }) => detail as { readonly project: string; readonly err: Error })
  const errors = Object.fromEntries(details.map(({ project, err }) => [project, err.message]))
  expect(errors['mysql']).toMatch(/^database.type: expected one of postgres, .*, got "oracle"$/)
  expect(errors['unknown']).toMatch(/^color: /)
  expect(JSON.stringify(world.lines)).not.toContain('open-sesame')
})

test('a project cannot have the name of a path', async () => {
  const logged = world.lines.map(({ detail, message }) => [(detail as { readonly project?: string }).project, message])
  expect(logged).toContainEqual(['items', 'A project is not served: its key is a path of the server'])
  expect((await world.ask('GET /items/')).status).toBe(404)
})

test('a file that is put right is read again', async () => {
  await world.seed('unknown')
  world.write('api.unknown.json', await world.contentsOf('unknown'))
  const look = async (): Promise<unknown> => (await world.ask('GET /unknown/users', as(tokenOf('unknown')))).status
  await expect.poll(look, { timeout: 150_000, interval: 500 }).toBe(200)
}, 180_000)
