import type { Operation } from '../verify/src/spec/operations.ts'

const sharePassword = { share: '00000000-0000-4000-8000-0000000000fd', password: 'wrong-horse-42' }
const spareShare = '00000000-0000-4000-8000-0000000000fc'
const spareUser = '00000000-0000-4000-8000-0000000000f1'
const other = 'correct-horse-43'

/** Operations with a body that contains a password; null = their example. */
export const hashing: readonly (readonly [string, Operation['generation'], object | null])[] = [
  ['login', 'current', null],
  ['authenticate', 'legacy', null],
  ['resetPassword', 'current', null],
  ['resetPassword', 'legacy', null],
  ['resetToRandomPassword', 'legacy', null],
  ['acceptInvite', 'current', null],
  ['createRegistration', 'current', null],
  ['createTfaSecret', 'current', null],
  ['createFirstAdministrator', 'current', null],
  ['authenticateShare', 'current', sharePassword],
  ['createUsers', 'current', { email: 'new@example.com', password: other }],
  ['updateUsers', 'current', { keys: [spareUser], data: { password: other } }],
  ['updateUser', 'current', { password: other }],
  ['updateMe', 'current', { password: other }],
  ['createUsers', 'legacy', { email: 'new@example.com', password: other }],
  ['updateUser', 'legacy', { password: other }],
  ['updateUsers', 'legacy', [{ id: 906, password: other }]],
  ['createShares', 'current', { collection: 'articles', item: '1', password: other }],
  ['updateShares', 'current', { keys: [spareShare], data: { password: other } }],
  ['updateShare', 'current', { password: other }],
  ['hashString', 'legacy', { string: 'hello' }],
  ['hashString', 'legacy', { hasher: 'bcrypt', string: 'hello' }],
  ['matchHash', 'legacy', { string: 'hello', hash: 'no hash at all' }],
  ['hashString', 'current', null],
  ['matchHash', 'current', null],
]
