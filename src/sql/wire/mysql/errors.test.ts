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

test.each([
  ["Incorrect datetime value: '2039-01-01 00:00:00' for column `shop`.`things`.`at` at row 1", '22008'],
  ["Incorrect datetime value: 'tomorrowish' for column `shop`.`things`.`at` at row 1", '22007'],
  ["Truncated incorrect INTEGER value: '2039-01-01'", '22P02'],
])('%s is the state %s', (text, code) => {
  const failure = Object.assign(new Error(text), { errno: 1292, sqlState: '22007' })
  expect(toDatabaseError(failure)).toMatchObject({ code, message: text })
})
