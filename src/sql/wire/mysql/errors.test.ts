import { expect, test } from 'vitest'
import { toDatabaseError } from './errors.ts'

test('a server with a binary log that refuses triggers is told with what to set', () => {
  const text = 'You do not have the SUPER privilege and binary logging is enabled'
  const failure = Object.assign(new Error(text), { errno: 1419, sqlState: 'HY000' })
  expect(toDatabaseError(failure)).toMatchObject({
    code: 'XX000',
    message: expect.stringContaining('set log_bin_trust_function_creators = 1 on the server'),
    cause: failure,
  })
})
