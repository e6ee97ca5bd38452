/**
 * What oasdiff and graphql-inspector list as examples and kinds of changes in their documentation, in our words, with
 * the severity here. What is left out is in decisions/0071.
 */
import { expect, test } from 'vitest'
import { answerExamples } from './examples/answers.ts'
import { documentWith } from './examples/document.ts'
import { graphqlExamples, wholeSchema } from './examples/graphql.ts'
import { operationExamples } from './examples/operations.ts'
import { parameterExamples } from './examples/parameters.ts'
import { requestExamples } from './examples/requests.ts'
import { compareTexts } from './src/diff/compare.ts'

const order = ['none', 'safe', 'perhaps', 'breaking'] as const

function strongest(before: string, after: string): (typeof order)[number] {
  const severities = compareTexts(before, after).map(({ severity }) => order.indexOf(severity))
  return order[Math.max(0, ...severities)] ?? 'none'
}

test.each([...operationExamples, ...parameterExamples, ...requestExamples, ...answerExamples])(
  'OpenAPI: %s',
  (_what, [before, after], severity) => {
    expect(strongest(documentWith(before), documentWith(after))).toBe(severity)
  },
)

test.each(graphqlExamples)('GraphQL: %s', (_kind, from, to, severity) => {
  expect(wholeSchema).toContain(from)
  expect(strongest(wholeSchema, wholeSchema.replace(from, to))).toBe(severity)
})
