import { expect, test } from 'vitest'
import { TandemError } from '../../domain/rights/errors.ts'
import { startTestApp } from './test-app.ts'

test('a refusal by the database is logged with SQLSTATE, detail and hint', async () => {
  const refusal = { severity: 'ERROR', code: 'P0001', table: 'stays', detail: 'It was bad', hint: 'Try another one' }
  const cause = Object.assign(new Error('no bad moods'), refusal)
  const refuse = () => Promise.reject(new TandemError({ kind: 'unprocessable', reason: 'no bad moods' }, { cause }))
  const app = await startTestApp({}, { readItem: refuse })
  const answer = await fetch(`${app.url}/items/a/refused`)
  expect(await answer.json()).toEqual({ error: { kind: 'unprocessable', reason: 'no bad moods' } })
  const line = app.lines.findLast(({ message }) => message === 'Database refused a request')
  expect(line).toMatchObject({ level: 'info', detail: { path: '/items/a/refused' } })
  expect(line?.detail).toMatchObject({
    refusal: { sqlState: 'P0001', message: 'no bad moods', detail: 'It was bad', hint: 'Try another one' },
  })
  await app.close()
})
