/** Plants one defect at a time in a server and counts those that the verifier finds. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../contract-tests/own-database.ts'
import { answerDefects } from './mutants/answers.ts'
import type { Defect } from './mutants/defect.ts'
import { listDefects } from './mutants/lists.ts'
import { otherDefects } from './mutants/others.ts'
import { openProxy } from './mutants/proxy.ts'
import { rightsDefects } from './mutants/rights.ts'
import { specDefects } from './mutants/spec.ts'
import { writeDefects } from './mutants/writes.ts'
import { flavors } from './src/flavor/flavors.ts'
import { type Outcome, titleOf } from './src/run/check.ts'
import { openSession } from './src/session/session.ts'

/** As many defects may be missed. */
const tolerated = 3

const cheap = {
  HASH_MEMORY_COST: '8',
  HASH_TIME_COST: '1',
  HASH_PARALLELISM: '1',
  LOGIN_STALL_TIME: '0ms',
  VALIDATE_RESPONSES: 'false',
}
const server = await openOwnDatabase('select 1', cheap)
const proxy = await openProxy(server.url)
const session = await openSession({
  url: server.url,
  adminToken: server.adminToken,
  flavor: flavors.tandem,
  readOnly: false,
  budget: 20_000,
  specText: null,
  signal: new AbortController().signal,
})

afterAll(async () => {
  const left = await session.close()
  await proxy.close()
  await server.close()
  expect(left).toEqual([])
})

const visit = (only: readonly string[], bail: boolean, runs: number): Promise<readonly Outcome[]> =>
  session.visit({ url: proxy.url, only, bail, concurrency: 4, seed: 1, runs })

const failuresOf = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap(({ check, failure }) =>
    failure === null ? [] : [`${titleOf(check)}: ${failure.message} ${failure.curl ?? ''}`],
  )

/** Whether some check sees the defect: first those that are meant for it, then all. */
async function isFound({ hint, tamper }: Defect): Promise<boolean> {
  proxy.plant(tamper)
  const first = await visit([hint], true, 5)
  if (first.length === 0) throw new Error(`No check has the title "${hint}"`)
  return failuresOf(first).length > 0 || failuresOf(await visit([], true, 5)).length > 0
}

const minutes = 60_000

test('planted defects are found', { timeout: 10 * minutes }, async () => {
  const tokens = { admin: server.adminToken }
  const defects = [
    ...answerDefects,
    ...listDefects,
    ...rightsDefects(tokens),
    ...writeDefects,
    ...otherDefects(tokens),
    ...specDefects(tokens),
  ]
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length)
  expect(defects.length).toBeGreaterThanOrEqual(50)
  const missed: string[] = []
  for (const defect of defects) if (!(await isFound(defect))) missed.push(defect.name)
  console.log(
    `${defects.length - missed.length} of ${defects.length} defects found; missed: ${missed.join(', ') || 'none'}`,
  )
  expect(missed.length, `missed: ${missed.join(', ')}`).toBeLessThanOrEqual(tolerated)
  expect(proxy.errors).toEqual([])
})

// After the defects, because what a failed check leaves behind must not be taken for a defect.
test('a server without a defect has no failure', { timeout: 8 * minutes }, async () => {
  // Without the proxy, which takes about as long as the server.
  const outcomes = await session.visit({ only: [], bail: false, concurrency: 4, seed: 1, runs: 10 })
  expect(failuresOf(outcomes)).toEqual([])
})

test('a random check shows the smallest case that it found, and its seed', { timeout: 3 * minutes }, async () => {
  proxy.plant(listDefects.find(({ name }) => name === '_gte is _gt')?.tamper ?? null)
  const only = ['random filters, sorts and pages']
  const [first] = await session.visit({ url: proxy.url, only, bail: true, concurrency: 1, seed: 3, runs: 100 })
  const [again] = await session.visit({ url: proxy.url, only, bail: true, concurrency: 1, seed: 3, runs: 100 })
  proxy.plant(null)
  expect(first?.failure?.message).toMatch(/; seed 3, after \d+ steps of shrinking$/)
  expect(first?.failure?.request).toMatch(
    /^GET \/items\/\w+\?fields=id&filter=\{"\w+":\{"_gte":[^{}]+\}\}&limit=-1&sort=id$/,
  )
  expect(again?.failure).toEqual(first?.failure)
})
