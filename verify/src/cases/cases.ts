/** Generates cases from a spec: requests that must succeed, and requests that must be rejected. */

import type { Operation, Parameter, Spec } from '../spec/operations.ts'
import type { Validate } from '../spec/validate.ts'
import { bodyCases } from './body-cases.ts'
import { accepted, bodyOf, type Case, good, refused, spellings, toCase } from './case.ts'
import { parameterCases } from './parameter-cases.ts'
import { parameterQuestion, parameterSet } from './questions.ts'

export const casesOf = (spec: Spec, validate: Validate, operation: Operation): readonly Case[] => [
  ...positiveCases(spec, operation),
  ...parameterCases(spec, validate, operation),
  ...bodyCases(spec, validate, operation),
  pollution(spec, operation),
  ...(operation.secured ? credentialCases(operation) : []),
]

/** All operations reject query strings that could pollute object prototypes. */
const pollution = (spec: Spec, operation: Operation): Case => {
  const rule = 'a parameter named __proto__'
  // Without parameters of its own, an operation has no other query string that is refused.
  const isOnly = !operation.parameters.some((each) => each.in === 'query')
  const question = isOnly ? null : `${parameterSet(spec, operation)}\n${rule}`
  const draft = { ...good(operation), query: [['__proto__[a]', '1']] as const }
  return toCase(operation, draft, { ...refused, rule, name: '__proto__', needsData: true, question })
}

const credentialCases = (operation: Operation): readonly Case[] =>
  (['unknown', 'forged'] as const).map((credentials) =>
    toCase(operation, good(operation), { ...refused, rule: `${credentials} token`, credentials }),
  )

function positiveCases(spec: Spec, operation: Operation): readonly Case[] {
  const plain = good(operation)
  const bodies = operation.body?.examples ?? [{ name: 'plain', value: undefined }]
  const parameters = operation.parameters.flatMap((parameter) => {
    const values = [...parameter.examples, ...boundaries(parameter)]
    return values.flatMap(({ name, value }, at) =>
      spellings(operation, parameter, value).map(([spelling, draft], way) => {
        const rule = `${parameter.name}: ${name}${spelling}`
        const isOwn = operation.method === 'GET' && at === 0 && way === 0
        const question = isOwn
          ? null
          : parameterQuestion(spec, operation, parameter.name, `${rule} ${JSON.stringify(value)}`)
        return toCase(operation, draft, { ...accepted, rule, question })
      }),
    )
  })
  return [
    ...bodies.map(({ name, value }) =>
      toCase(
        operation,
        { ...plain, ...(value === undefined ? {} : bodyOf(operation, value)) },
        { ...accepted, rule: `body: ${name}` },
      ),
    ),
    ...parameters,
  ]
}

function boundaries(parameter: Parameter): readonly { readonly name: string; readonly value: unknown }[] {
  const { minimum, maximum } = parameter.schema
  return [minimum, maximum].flatMap((value) => (typeof value === 'number' ? [{ name: String(value), value }] : []))
}
