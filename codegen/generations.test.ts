import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operators } from '../src/domain/query/operators.ts'
import { operatorsTable } from './generations.ts'

test('the README has the operators of the spelling tables', () => {
  const readme = readFileSync(join(import.meta.dirname, '../openapi/README.md'), 'utf8')
  expect(readme).toContain(`\n${operatorsTable()}\n`)
})

test('every core operator has its row', () => {
  for (const name of Object.keys(operators)) expect(operatorsTable()).toContain(`| \`${name}\` |`)
})
