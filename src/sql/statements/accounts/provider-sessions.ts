/** Links from sessions to the session at the login provider that opened them. */
import type { SessionOrigin } from '../../../domain/ports/providers.ts'
import { change, countRows, firstRow, type Runner } from '../answers.ts'

/** `token`: the refresh token of the provider, sealed; null = it gave none. */
export type StoredOrigin = Omit<SessionOrigin, 'qualifiers'>

/** Notes which session of a provider a new session comes from. */
export async function insertOrigin(db: Runner, session: string, origin: SessionOrigin): Promise<void> {
  const { provider, subject, format, qualifiers, name, token } = origin
  const text = `insert into platform_provider_sessions
    (session, provider, subject, format, name, token, qualifier, own_qualifier) values ($1, $2, $3, $4, $5, $6, $7, $8)`
  const values = [session, provider, subject, format, name, token, ...qualifiers]
  await change(db, { task: 'insertOrigin', text, values })
}

/** The session of a provider that a session comes from, without its token; undefined if it comes from none. */
export async function findOrigin(db: Runner, session: string): Promise<SessionOrigin | undefined> {
  const text = `select provider, subject, format, name, null as token, qualifier, own_qualifier
    from platform_provider_sessions where session = $1`
  const row = await firstRow<StoredOrigin & { readonly [qualifier: string]: string | null }>(db, {
    task: 'findOrigin',
    text,
    values: [session],
  })
  if (row === undefined) return undefined
  const { qualifier = null, own_qualifier = null, ...origin } = row
  return { ...origin, qualifiers: [qualifier, own_qualifier] }
}

const claimable = 'token is not null and (renewing is null or renewing < $2)'

/**
 * The origin of a session whose token the caller shall renew until `until`; undefined if there is no token, or somebody
 * else renews it now.
 */
export function claimOrigin(
  db: Runner,
  session: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<StoredOrigin | undefined> {
  const columns = 'provider, subject, format, name, token'
  const text = `update platform_provider_sessions set renewing = $3 where session = $1 and ${claimable} returning ${columns}`
  const texts = {
    mysql: [
      `select session as id from platform_provider_sessions where session = $1 and ${claimable} for update`,
      'update platform_provider_sessions set renewing = $3 where session = any($$1::uuid[])',
      `select ${columns} from platform_provider_sessions where session = any($$1)`,
    ],
  }
  return firstRow(db, { task: 'claimOrigin', text, texts, values: [session, now, until] })
}

/** Ends the claim. `token`: what the provider gave now; null = the old one stays. */
export async function releaseOrigin(db: Runner, session: string, token: string | null): Promise<void> {
  const text = 'update platform_provider_sessions set renewing = null, token = coalesce($2, token) where session = $1'
  await change(db, { task: 'releaseOrigin', text, values: [session, token] })
}

/** Ends the sessions that come from a session of a provider, or from all sessions of a person there; how many. */
export function endSessionsFrom(
  db: Runner,
  from: { readonly provider: string; readonly subject: string | null; readonly name: string | null },
): Promise<number> {
  const names = (['subject', 'name'] as const).filter((column) => from[column] !== null)
  const conditions = names.map((column, at) => ` and ${column} = $${at + 2}`).join('')
  const text = `delete from platform_sessions where id in
    (select session from platform_provider_sessions where provider = $1${conditions})`
  const values = [from.provider, ...names.map((column) => from[column])]
  return countRows(db, { task: 'endSessionsFrom', text, values })
}
