/** Examples of token exchanges hold invented tokens, and one invented hash; a real server wants one that it has issued. */
import type { Case } from './case.ts'
import type { World } from './world.ts'
import { password } from './world-data.ts'

/** Which key of the body is a token, and how a user gets one. */
const exchanges: { readonly [operation: string]: Exchange } = {
  'current refreshSession': {
    key: 'refresh_token',
    issue: async (url) => (await login(url, '/auth/login')).refresh_token,
  },
  'current logout': { key: 'refresh_token', issue: async (url) => (await login(url, '/auth/login')).refresh_token },
  'current promoteVersion': {
    key: 'mainHash',
    issue: async (url) => {
      const { access_token: token } = await login(url, '/auth/login')
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/versions/00000000-0000-4000-8000-0000000000fb/compare`, { headers })
      return ((await response.json()) as { readonly data: { readonly mainHash: string } }).data.mainHash
    },
  },
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

type Issued = { readonly refresh_token?: string; readonly access_token?: string; readonly token?: string }

async function login(url: string, path: string): Promise<Issued> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password }),
  })
  const { data } = (await response.json()) as { readonly data: Issued }
  return data
}
