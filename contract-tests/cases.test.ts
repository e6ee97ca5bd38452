import { expect, test } from 'vitest'
import { type Case, isRawBody } from '../verify/src/cases/case.ts'
import { createValidate } from '../verify/src/spec/validate.ts'
import { casesOf } from './cases.ts'
import { faults } from './faults.ts'
import { specs } from './spec.ts'

const derived = specs.map((spec) => ({ spec, cases: casesOf(spec, createValidate(spec), faults) }))

const isAgainst = ({ kind, name, rule }: Case, parameter: string): boolean =>
  kind === 'negative' && (name === parameter || rule.startsWith(`${parameter}:`))

test('every parameter has a case with an invalid value, except a project that is the whole path', () => {
  const without = derived.flatMap(({ spec, cases }) =>
    spec.operations.flatMap((operation) =>
      operation.parameters
        .filter(({ name }) => !cases.some((each) => each.operation === operation && isAgainst(each, name)))
        .map(({ name }) => `${spec.generation} ${operation.id} ${name}`),
    ),
  )
  expect(without).toEqual(['legacy readProjectInfo project'])
})

test('every structured body has cases with invalid JSON, excess size, another media type and an invalid schema', () => {
  // In a form, a number is no more than nothing.
  const rules = [/body is not JSON$/, /body is too large$/, /body of another media type$/, /all is (number|null)$/]
  const without = derived.flatMap(({ cases, spec }) =>
    spec.operations
      .filter(({ body }) => body !== null && !isRawBody(body))
      .flatMap((operation) =>
        rules
          .filter((rule) => !cases.some((each) => each.operation === operation && rule.test(each.rule)))
          .map((rule) => `${operation.id}: ${rule.source}`),
      ),
  )
  expect(without).toEqual([])
})

test('every operation has a positive case, and with credentials two cases with invalid tokens', () => {
  for (const { cases, spec } of derived) {
    for (const operation of spec.operations) {
      const own = cases.filter((each) => each.operation === operation)
      expect(
        own.some(({ kind }) => kind === 'positive'),
        operation.id,
      ).toBe(true)
      expect(own.filter(({ credentials }) => credentials !== 'valid').length, operation.id).toBe(
        operation.secured ? 2 : 0,
      )
    }
  }
})
