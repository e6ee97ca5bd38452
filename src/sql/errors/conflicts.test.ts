import { expect, test } from 'vitest'
import { TandemError } from '../../domain/rights/errors.ts'
import { repeated } from './conflicts.ts'

const conflict = (): TandemError =>
  new TandemError(
    { kind: 'unavailable', service: 'database', reason: 'met', retryAfter: 1 },
    { cause: Object.assign(new Error('Deadlock'), { code: '40P01' }) },
  )

test('what a transaction around it has ended is not repeated in vain', async () => {
  const lost = conflict()
  let attempts = 0
  const part = () => {
    attempts += 1
    return Promise.reject(lost)
  }
  await expect(repeated(part)).rejects.toBe(lost)
  expect(attempts).toBe(2)
})

test('each new conflict is followed by another attempt', async () => {
  let attempts = 0
  const work = () => {
    attempts += 1
    return attempts < 5 ? Promise.reject(conflict()) : Promise.resolve(attempts)
  }
  expect(await repeated(work)).toBe(5)
})
