/** The ways to log in that the server offers, and how the page of a provider is reached. */
import { applicationUrl, client, toServerUrl } from '../client.ts'

export type Provider = { readonly name: string; readonly label?: string | null; readonly driver?: string }

export type Ways = {
  /** Providers on whose own page people log in. */
  readonly providers: readonly Provider[]
  /** Directories that check a password. */
  readonly directories: readonly Provider[]
  readonly hasPassword: boolean
  readonly project: string
}

/** Before the server has answered. */
export const usualWays: Ways = { providers: [], directories: [], hasPassword: true, project: 'Tandem' }

const withPassword: ReadonlySet<string | undefined> = new Set(['ldap', 'local'])

export async function readWays(): Promise<Ways> {
  const [{ data = [], disableDefault }, info] = await Promise.all([
    client.request<{ data?: readonly Provider[]; disableDefault?: boolean }>({ method: 'GET', path: '/auth' }),
    client.server.readInfo() as Promise<{ project?: { project_name?: string } }>,
  ])
  return {
    providers: data.filter(({ driver }) => !withPassword.has(driver)),
    directories: data.filter(({ driver }) => withPassword.has(driver)),
    hasPassword: disableDefault !== true,
    project: info.project?.project_name ?? 'Tandem',
  }
}

/** The address where a login by a provider begins; it returns to the application. */
export function providerUrl(name: string, code: string): string {
  const url = new URL(toServerUrl(`auth/login/${encodeURIComponent(name)}`))
  url.searchParams.set('redirect', applicationUrl.href)
  url.searchParams.set('mode', 'session')
  if (code !== '') url.searchParams.set('otp', code)
  return url.href
}

/** Why a login by a provider failed; null if none did. Read at the start: the router leads on to its own address. */
export const reason: string | null = new URLSearchParams(location.search).get('reason')

const problems: { readonly [code: string]: string } = {
  INVALID_CREDENTIALS: 'app.login.wrong',
  INVALID_OTP: 'app.login.code_wrong',
  REQUESTS_EXCEEDED: 'app.login.too_many',
  USER_SUSPENDED: 'app.login.suspended',
}

/** The text about a failed login. */
export const problemOf = (code: string | null): string => problems[code ?? ''] ?? 'app.login.failed'

const providerProblems: { readonly [code: string]: string } = {
  ...problems,
  INVALID_CREDENTIALS: 'app.login.unknown',
  INVALID_OTP: 'app.login.code_needed',
  INVALID_PROVIDER: 'app.login.taken',
}

/** The same of a login by a provider. */
export const providerProblemOf = (code: string): string => providerProblems[code] ?? 'app.login.failed'
