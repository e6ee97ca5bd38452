/** Requests that are refused when they are repeated. */

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
