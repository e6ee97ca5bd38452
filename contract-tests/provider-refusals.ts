/** What a refused login by an identity provider answers. */
import { expect } from 'vitest'
import type { LoginBrowser } from './login-browser.ts'
import type { ProvidersWorld } from './providers-world.ts'

/** Somebody whom the honest provider knows. */
export const mallory = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }

export type Answer = Awaited<ReturnType<LoginBrowser['get']>>

export type Refusal = readonly [status: number, code: string]

export const noProof: Refusal = [401, 'INVALID_CREDENTIALS']
export const noToken: Refusal = [403, 'INVALID_TOKEN']
export const notYours: Refusal = [403, 'INVALID_PROVIDER']
export const noAnswer: Refusal = [503, 'SERVICE_UNAVAILABLE']

/** The answer is a refusal, and nobody has a session. */
export async function expectRefused(
  { rows }: ProvidersWorld,
  { status, body }: Answer,
  [expected, code]: Refusal,
): Promise<void> {
  expect([status, body]).toMatchObject([expected, { error: { code } }])
  expect(await rows('select id from platform_sessions')).toEqual([])
}

/** Removes what earlier tests have left. */
export async function forgetLogins({ rows, provider }: ProvidersWorld): Promise<void> {
  provider.lies = {}
  await rows(`delete from platform_users where email is distinct from 'admin@example.com'`)
  await rows('delete from platform_sessions')
  await rows('update platform_settings set public_registration = false')
}
