import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectedOutcome, outcomeOf } from './access.ts'
import { plainCase } from './case.ts'
import { casesOf } from './cases.ts'
import { type Answer, complaintsOf } from './checks.ts'
import { coverageOf, coverageTable, type Deviation, pairOf } from './coverage.ts'
import deviations from './deviations.json' with { type: 'json' }
import { faults } from './faults.ts'
import { fillTokens } from './live-tokens.ts'
import { sendCase } from './send.ts'
import { type Operation, specs } from './spec.ts'
import { createValidate } from './validate.ts'
import { type Changed, openWorld, userKinds, type World } from './world.ts'

/**
 * May only become smaller: a new deviation has to be argued for here. A full queue of hashes is three of
 * them: a login and both operations on hashes wait in it, and filling it would take a minute of two cores.
 */
const deviationsAtMost = 6

const seen = new Set<string>()
let world: World
let dirt: Changed | null = null

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Only writes that succeed change the world; some of them its tables. */
function changedBy({ path, method }: Operation, { status }: Answer): Changed | null {
  if (method === 'GET' || status >= 300) return null
  return /^\/(collections|fields|relations|schema)(\/|$)/.test(path) ? 'model' : 'rows'
}

for (const spec of specs) {
  const validate = createValidate(spec)

  describe(`the server in the ${spec.generation} generation`, () => {
    test.for(casesOf(spec, validate, faults))('$operation.id, $kind, $rule', async (each) => {
      if (dirt !== null) await world.reset(dirt)
      const asked = await fillTokens(world, each)
      const answer = await sendCase(asked, { url: world.url, token: world.tokens[each.as] })
      dirt = each.request.method === 'SEARCH' ? null : changedBy(each.operation, answer)
      seen.add(pairOf(each.operation, answer.status))
      expect(complaintsOf(each, answer, validate), `${asked.request.method} ${asked.request.target}`).toEqual([])
    })
  })
}

const meetings = specs.flatMap(({ operations }) =>
  operations.flatMap((operation) => userKinds.map((kind) => ({ operation, kind }))),
)

describe('the access matrix', () => {
  test.for(meetings)('$operation.generation $operation.id as $kind', async ({ operation, kind }) => {
    await world.reset(dirt ?? 'rows')
    const asked = await fillTokens(world, plainCase(operation))
    const answer = await sendCase(asked, { url: world.url, token: world.tokens[kind] })
    dirt = changedBy(operation, answer)
    seen.add(pairOf(operation, answer.status))
    const { generation, id } = operation
    expect(outcomeOf(answer), answer.text).toBe(expectedOutcome(generation, id, kind))
    expect([...operation.responses.keys()]).toContain(answer.status)
  })
})

test('the health of a server without its storage is an error', async () => {
  const health = specs.flatMap(({ operations }) => operations).find(({ id }) => id === 'readServerHealth') as Operation
  const answer = await world.withoutStorage(() => sendCase(plainCase(health), { url: world.url, token: null }))
  seen.add(pairOf(health, answer.status))
  expect([answer.status, answer.json]).toEqual([503, { status: 'error' }])
})

describe('coverage', () => {
  test('every documented answer was seen or is excused', () => {
    const { missing, stale, ...totals } = coverageOf(specs, seen, deviations satisfies readonly Deviation[])
    console.info(`${coverageTable(specs, seen)}\n`, totals)
    expect({ missing, stale }).toEqual({ missing: [], stale: [] })
  })

  test('the list of deviations did not grow', () => {
    expect(deviations.length).toBeLessThanOrEqual(deviationsAtMost)
  })
})
