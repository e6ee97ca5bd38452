import { expect, test } from 'vitest'
import { fieldProblems } from './problems.ts'

const failure = (code: string, field?: string) => ({ message: `About ${field}`, extensions: { code, field } })

test('errors of fields have words of the interface, or those of the server', () => {
  const errors = [failure('RECORD_NOT_UNIQUE', 'email'), failure('FAILED_VALIDATION', 'name'), failure('FORBIDDEN')]
  expect(fieldProblems({ errors })).toEqual({ email: 'app.problem.RECORD_NOT_UNIQUE', name: 'About name' })
  expect([fieldProblems(null), fieldProblems({})]).toEqual([{}, {}])
})
