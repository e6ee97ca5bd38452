/** Examples of exchanges hold invented tokens and hashes; a real server wants one that it has issued. */
import packageJson from '../package.json' with { type: 'json' }
import type { Case } from './case.ts'
import type { World } from './world.ts'
import { password } from './world-data.ts'

/** Which key of the body is a token (or tells of the present state of the server), and how a user gets one. */
const exchanges: { readonly [operation: string]: Exchange } = {
  'current refreshSession': {
    key: 'refresh_token',
    issue: async (url) => (await login(url, '/auth/login')).refresh_token,
  },
  'current logout': { key: 'refresh_token', issue: async (url) => (await login(url, '/auth/login')).refresh_token },
  'current diffSchema': { key: 'platform', issue: async () => packageJson.version },
  'current applySchema': { key: 'hash', issue: hashOfModel },
  'legacy refresh': { key: 'token', issue: async (url) => (await login(url, '/_/auth/authenticate')).token },
}

type Exchange = { readonly key: string; readonly issue: (url: string) => Promise<string | undefined> }

/** The case with a live token where its example invents one; negative cases stay as they are. */
export async function fillTokens({ url }: Pick<World, 'url'>, each: Case): Promise<Case> {
  const exchange = exchanges[`${each.operation.generation} ${each.operation.id}`]
  if (exchange === undefined || each.kind === 'negative' || each.request.body === null) return each
  const body = JSON.parse(each.request.body) as { readonly [key: string]: unknown }
  if (!(exchange.key in body)) return each
  const filled = JSON.stringify({ ...body, [exchange.key]: await exchange.issue(url) })
  return { ...each, request: { ...each.request, body: filled } }
}

type Issued = { readonly access_token?: string; readonly refresh_token?: string; readonly token?: string }

async function login(url: string, path: string): Promise<Issued> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password }),
  })
  const { data } = (await response.json()) as { readonly data: Issued }
  return data
}

/** Out of the differences to a model without anything. */
async function hashOfModel(url: string): Promise<string> {
  const { access_token: token = '' } = await login(url, '/auth/login')
  const nothing = { version: 1, platform: '', collections: [], fields: [], relations: [] }
  const response = await fetch(`${url}/schema/diff?force`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(nothing),
  })
  const { data } = (await response.json()) as { readonly data: { readonly hash: string } }
  return data.hash
}
