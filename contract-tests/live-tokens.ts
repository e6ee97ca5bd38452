/** Replaces invented tokens in examples with tokens that the server has issued. */
import packageJson from '../package.json' with { type: 'json' }
import type { AccountPurpose } from '../src/tokens/account-tokens.ts'
import { type Case, plainRule } from '../verify/src/cases/case.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { logoutTokenOf } from './played-provider.ts'
import { answerSaml, readSamlRequest } from './played-saml.ts'
import { askToLogOut } from './played-saml-logout.ts'
import { dataIn, send } from './send.ts'
import { superAdminToken, type World } from './world.ts'
import { password } from './world-data.ts'

export const expiredToken = 'a-token-that-has-expired'

type Filling = { readonly [key: string]: string | boolean | undefined }

type Issuer = Pick<World, 'url' | 'accounts' | 'seedProject'> & { readonly provider?: World['provider'] }

type Exchange = (world: Issuer, age: 'new' | 'old') => Promise<Filling>

const mailed =
  (purpose: AccountPurpose): Exchange =>
  async (world, age) => ({ token: await world.accounts.issueToken(purpose, age) })

const refreshToken: Exchange = async ({ url }) => ({ refresh_token: (await login(url, '/auth/login')).refresh_token })

/** The examples have another token than the server, so that the access matrix makes no projects. */
const asOperator =
  (key: string): Exchange =>
  async ({ url, seedProject }) => {
    await fetch(`${url}/server/projects/${key}?super_admin_token=${superAdminToken}`, { method: 'DELETE' })
    await seedProject(key)
    return { super_admin_token: superAdminToken, existing: true }
  }

/** Makes the project that the example names, unless it is there. */
const existingProject: Exchange = async ({ url, seedProject }) => {
  await seedProject('blog')
  const asked = { super_admin_token: superAdminToken, project: 'blog', existing: true }
  const admin = { user_email: 'admin@example.com', user_password: password }
  const body = JSON.stringify({ ...asked, ...admin, db_type: 'embedded', db_name: 'blog' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/server/projects`, { method: 'POST', headers, body })
  if (response.status !== 200 && response.status !== 409) throw new Error(await response.text())
  return { super_admin_token: superAdminToken }
}

/** A login that has come back from the provider: the cookie of the browser, and the query string of the answer. */
const answeredLogin: Exchange = async ({ url, provider }) => {
  if (provider === undefined) return {}
  const browser = openBrowser(url)
  const back = provider.consent(await browser.begin('keycloak'), { email: 'somebody@example.com' })
  return { cookie: cookieOf(browser), search: back.search }
}

/** The same in the legacy generation. */
async function answeredLegacyLogin({ url, provider }: Issuer) {
  if (provider === undefined) return null
  const browser = openBrowser(url)
  const { body } = await browser.get('/_/auth/sso/keycloak?mode=jwt&redirect_url=/welcome')
  const { data } = body as { readonly data: { readonly authorization_url: string } }
  const back = provider.consent(data.authorization_url, { email: 'somebody@example.com' })
  return { browser, back, cookie: cookieOf(browser) }
}

const cookieOf = ({ cookies }: LoginBrowser): string => [...cookies].map((each) => each.join('=')).join('; ')

/** The same, as a form of the provider. */
const answeredByForm: Exchange = async (issuer) => {
  const { cookie, search = '' } = await answeredLogin(issuer, 'new')
  return { cookie, ...Object.fromEntries(new URLSearchParams(String(search))) }
}

const answeredByLegacyForm: Exchange = async (issuer) => {
  const found = await answeredLegacyLogin(issuer)
  return found === null ? {} : { cookie: found.cookie, ...Object.fromEntries(found.back.searchParams) }
}

/** A login by SAML that the provider has answered. */
const answeredSaml: Exchange = async ({ url, provider }) => {
  if (provider === undefined) return {}
  const browser = openBrowser(url)
  const request = readSamlRequest(await browser.begin('corp'))
  return { cookie: cookieOf(browser), ...answerSaml(request, { id: 'somebody' }) }
}

/** A logout of SAML, each time a new one. */
const logoutOf = (url: string) => askToLogOut(`${url}/auth/login/corp/slo`, { subject: 'nobody' })

/** A logout token, each time a new one. */
const endedAtProvider: Exchange = async ({ provider }) =>
  provider === undefined ? {} : { logout_token: logoutTokenOf(provider.url, { sid: 'nobody' }) }

const answeredOnPage: Exchange = async (issuer) => {
  const found = await answeredLegacyLogin(issuer)
  return found === null ? {} : { cookie: found.cookie, search: found.back.search }
}

const answeredInBody: Exchange = async (issuer) => {
  const found = await answeredLegacyLogin(issuer)
  return found === null ? {} : { cookie: found.cookie, code: found.back.searchParams.get('code') ?? '' }
}

const requestToken: Exchange = async (issuer) => {
  const found = await answeredLegacyLogin(issuer)
  if (found === null) return {}
  const { location } = await found.browser.get(found.back)
  return { request_token: new URL(location ?? '').searchParams.get('request_token') ?? '' }
}

/** Keys of the body or the query string that need a live value; `cookie` and `search` are parts of the request. */
const exchanges: { readonly [operation: string]: Exchange } = {
  'current refreshSession': refreshToken,
  'current logout': refreshToken,
  'current finishProviderLogin': answeredLogin,
  'current finishProviderLoginByForm': answeredByForm,
  'current finishSamlLogin': answeredSaml,
  'current finishSamlLogout': async ({ url }) => ({ search: `?${logoutOf(url).toQuery()}` }),
  'current finishSamlLogoutByForm': async ({ url }) => logoutOf(url).toForm(),
  'current finishProviderLogout': endedAtProvider,
  'current resetPassword': mailed('password-reset'),
  'current acceptInvite': mailed('invitation'),
  'current runEmailVerification': mailed('registration'),
  'current createFirstAdministrator': async ({ accounts }) => {
    await accounts.dismissAdministrators()
    return {}
  },
  'current enableTfa': ({ accounts }) => accounts.prepareCodes('pending'),
  'current disableTfa': ({ accounts }) => accounts.prepareCodes('enabled'),
  'current diffSchema': async () => ({ platform: packageJson.version }),
  'current applySchema': async ({ url }) => ({ hash: await hashOfModel(url) }),
  'current promoteVersion': async ({ url }) => ({ mainHash: await presentHash(url) }),
  'legacy finishProviderLogin': answeredOnPage,
  'legacy finishProviderLoginByForm': answeredByLegacyForm,
  'legacy loginByProvider': answeredInBody,
  'legacy createAccessToken': requestToken,
  'legacy resetPassword': mailed('password-reset'),
  'legacy resetToRandomPassword': mailed('password-reset'),
  'legacy acceptInvite': mailed('invitation'),
  'legacy enableTfa': async ({ accounts }) => {
    const { secret, otp } = await accounts.prepareCodes('pending')
    return { '2fa_secret': secret, otp }
  },
  'legacy createProject': asOperator('blog'),
  'legacy installProject': asOperator('shop'),
  'legacy deleteProject': existingProject,
  'legacy refresh': async ({ url }) => ({ token: (await login(url, '/_/auth/authenticate')).token }),
}

/** The case with live values. Negative cases are unchanged, except those with expired tokens. */
export async function fillTokens(world: Issuer, each: Case): Promise<Case> {
  const exchange = exchanges[`${each.operation.generation} ${each.operation.id}`]
  if (exchange === undefined || (each.operation.id.endsWith('Project') && each.rule === plainRule)) return each
  const { body, target } = each.request
  const isOld = `${body} ${target}`.includes(expiredToken)
  if (each.kind === 'negative' && !isOld) return each
  const { cookie, search, ...filling } = await exchange(world, isOld ? 'old' : 'new')
  const asked = search === undefined ? inQuery(target, filling) : `${target.split('?', 1)[0]}${search}`
  const headers = cookie === undefined ? each.request.headers : { ...each.request.headers, cookie: String(cookie) }
  return { ...each, request: { ...each.request, headers, body: inBody(body, filling), target: asked } }
}

function inBody(text: string | null, filling: Filling): string | null {
  if (text === null) return null
  const body = JSON.parse(text) as Filling
  const known = Object.entries(filling).filter(([key]) => key in body)
  return known.length === 0 ? text : JSON.stringify({ ...body, ...Object.fromEntries(known) })
}

/** What a path holds in the place of a token. */
const pathTokens = ['eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl', expiredToken]

function inQuery(given: string, filling: Filling): string {
  const { token } = filling
  const inPath = (text: string, each: string) =>
    text.replace(`/${each}`, `/${encodeURIComponent(String(token ?? each))}`)
  const target = pathTokens.reduce(inPath, given)
  const url = new URL(target, 'http://localhost')
  const known = Object.entries(filling).filter(([key]) => url.searchParams.has(key))
  for (const [key, value] of known) url.searchParams.set(key, String(value ?? ''))
  return known.length === 0 ? target : `${url.pathname}${url.search}`
}

type Issued = { readonly refresh_token?: string; readonly access_token?: string; readonly token?: string }

/** Logs in as administrator. */
export async function login(url: string, path: string): Promise<Issued> {
  const answer = await send(url, `POST ${path}`, { body: { email: 'admin@example.com', password } })
  return dataIn(answer) as Issued
}

/** The hash of the item in a comparison, as input of a promotion. */
async function presentHash(url: string): Promise<string> {
  const { access_token: token = '' } = await login(url, '/auth/login')
  const path = '/versions/00000000-0000-4000-8000-0000000000fb/compare'
  return (dataIn(await send(url, `GET ${path}`, { token })) as { readonly mainHash: string }).mainHash
}

/** A diff, computed from an empty data model. */
async function hashOfModel(url: string): Promise<string> {
  const { access_token: token = '' } = await login(url, '/auth/login')
  const nothing = { version: 1, platform: '', collections: [], fields: [], relations: [] }
  const answer = await send(url, 'POST /schema/diff?force', { body: nothing, token })
  return (dataIn(answer) as { readonly hash: string }).hash
}
