/** Paths of version 8 without a project in front: which project they are for, and in which form they are answered. */
import { afterAll, expect, test } from 'vitest'
import { login } from './live-tokens.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const tokens: { readonly old: string; readonly new: string } = {
  old: (await login(world.url, '/_/auth/authenticate')).token ?? '',
  new: (await login(world.url, '/auth/login')).access_token ?? '',
}
afterAll(() => world.close())

type Headers = { readonly [name: string]: string }

async function ask(path: string, headers: Headers) {
  const answer = await fetch(`${world.url}${path}`, { headers })
  return { status: answer.status, body: (await answer.json()) as { data?: object; error?: { code: unknown } } }
}

const paths = ['/types', '/interfaces', '/layouts', '/modules', '/pages', '/'] as const
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** A token that claims another project; its signature is looked at only there. */
const stranger = (): string => {
  const [head, , signature] = tokens.old.split('.')
  return [
    head,
    Buffer.from(JSON.stringify({ project: 'nowhere', iss: 'platform' })).toString('base64url'),
    signature,
  ].join('.')
}

test.each(paths)('%s: a static token comes with the name of the project, or is for the default one', async (path) => {
  const own = bearer(world.tokens.admin ?? '')
  for (const named of [{}, { 'x-platform-project': '_' }, { 'x-acme-project': '_' }])
    expect((await ask(path, { ...own, ...named })).status).toBe(200)
  expect((await ask(`${path}?project=_`, own)).status).toBe(200)
})

test.each(paths)('%s: a header or the parameter can name a project that is not there', async (path) => {
  const own = bearer(world.tokens.admin ?? '')
  const unknown = [404, 8]
  for (const named of [{ 'x-platform-project': 'nowhere' }, { 'x-acme-project': 'nowhere' }]) {
    const { status, body } = await ask(path, { ...own, ...named })
    expect([status, body.error?.code]).toEqual(unknown)
  }
  const { status, body } = await ask(`${path}?project=nowhere`, own)
  expect([status, body.error?.code]).toEqual(unknown)
  // The parameter comes before the header.
  expect((await ask(`${path}?project=_`, { ...own, 'x-acme-project': 'nowhere' })).status).toBe(200)
})

test.each(paths)('%s: a signed token names its project, whatever else is named', async (path) => {
  expect((await ask(`${path}?project=nowhere`, bearer(tokens.old))).status).toBe(200)
  expect((await ask(path, { ...bearer(tokens.old), 'x-platform-project': 'nowhere' })).status).toBe(200)
  const { status, body } = await ask(`${path}?project=_`, bearer(stranger()))
  expect([status, body.error?.code]).toEqual([404, 8])
})

test.each([
  ['a header of older clients', '', () => ({ 'x-acme-project': '_' })],
  ['the parameter project', '?project=_', () => ({})],
  ['the parameter of super administrators', '?super_admin_token=x', () => ({})],
  ['a token of version 8', '', () => bearer(tokens.old)],
] as const)('/server/info with %s has the form of version 8', async (_name, search, headers) => {
  const { status, body } = await ask(`/server/info${search}`, headers())
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ api: { project_name: 'Tandem' } })
  expect(body.data).not.toHaveProperty('project')
})

test('/server/info tells users of version 8 the version and the largest upload', async () => {
  const { body } = await ask('/server/info', bearer(tokens.old))
  expect(body).toMatchObject({
    data: { api: { version: expect.any(String) }, server: { max_upload_size: expect.any(Number) } },
  })
})

test.each([
  ['nothing', () => ({})],
  ['a token of the current generation', () => bearer(tokens.new)],
  ['the header that both generations know', () => ({ 'x-platform-project': '_' })],
] as const)('/server/info with %s has the form of the current generation', async (_name, headers) => {
  const { body } = await ask('/server/info', headers())
  expect(body.data).toMatchObject({ project: { project_name: 'Tandem' } })
})

test.each([
  ['/nowhere', 1],
  ['/pages/x', 1],
  ['/projects/x', 1],
  ['/_/nowhere', 5],
  ['/_/items', 5],
] as const)('%s is not found with code %i', async (path, code) => {
  const { status, body } = await ask(path, { 'x-acme-project': '_' })
  expect([status, body.error?.code]).toEqual([404, code])
})
