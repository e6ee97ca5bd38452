import { expect, test } from 'vitest'
import { loginTurns, requestQueue, turnsOf } from './hash-turns.ts'

test('logins do not wait for the queue of requests', async () => {
  const gate = Promise.withResolvers<void>()
  const { running, waiting } = requestQueue.bounds
  const callers = Array.from({ length: running + waiting }, (_, at) => `caller ${at}`)
  const held = callers.map((caller) => turnsOf(caller)(() => gate.promise))
  await expect(turnsOf('one more')(async () => 'done')).rejects.toThrow('unavailable')
  expect(await loginTurns(async () => 'in')).toBe('in')
  gate.resolve()
  await Promise.all(held)
})
