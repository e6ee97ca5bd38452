/** Requests that are refused when they are repeated, and where no mail can be sent. */
import { expect, test } from 'vitest'
import { plainCase } from '../verify/src/cases/case.ts'
import { sendCase } from '../verify/src/cases/send.ts'
import type { Operation } from '../verify/src/spec/operations.ts'
import { pairOf } from './coverage.ts'
import { openWorld } from './world.ts'

/** Wrong passwords, by operation. */
export const guesses = [
  ['login', 'current', { email: 'guessed@example.com', password: 'wrong-horse-42' }],
  ['authenticate', 'legacy', { email: 'guessed@example.com', password: 'wrong-horse-42' }],
  ['authenticateShare', 'current', { share: '00000000-0000-4000-8000-0000000000fe', password: 'wrong-horse-42' }],
] as const

/** Settings of a server that sends one mail to a mailbox. */
export const oneMail = {
  RATE_LIMITER_EMAIL_ENABLED: 'true',
  RATE_LIMITER_EMAIL_POINTS: '1',
  RATE_LIMITER_REGISTRATION_ENABLED: 'true',
  RATE_LIMITER_REGISTRATION_POINTS: '1',
  RATE_LIMITER_LOGIN_POINTS: '1',
  AUTH_DISABLE_DEFAULT: 'true',
} as const

/** Operations that send a mail, with the status of the first request. */
export const mails = [
  ['requestPasswordReset', 'current', 204],
  ['requestPasswordReset', 'legacy', 429],
  ['createRegistration', 'current', 204],
  ['inviteUsers', 'current', 204],
  ['inviteUsers', 'legacy', 429],
  ['inviteToShare', 'current', 204],
  ['sendMail', 'legacy', 204],
] as const

/** The settings of a server whose mail server does not answer: port 9 has none. */
const deadMail = { EMAIL_TRANSPORT: 'smtp', EMAIL_SMTP_HOST: '127.0.0.1', EMAIL_SMTP_PORT: '9' }

type Parts = { readonly seen: Set<string>; readonly operationOf: (id: string) => Operation }

export const deadMailTests = ({ seen, operationOf }: Parts): void =>
  test('nobody is invited while the mail server cannot be used', async () => {
    const world = await openWorld(deadMail)
    const operation = operationOf('inviteUsers')
    const answer = await sendCase(plainCase(operation), { url: world.url, token: world.tokens.admin })
    const { platform_users: users } = await world.readRows()
    await world.close()
    seen.add(pairOf(operation, answer.status))
    expect(answer).toMatchObject({ status: 503, json: { error: { code: 'SERVICE_UNAVAILABLE' } } })
    expect(users?.filter(({ status }) => status === 'invited')).toEqual([])
  })
