import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectedOutcome, outcomeOf } from './access.ts'
import { accepted, bodyOf, good, plainCase, toCase } from './case.ts'
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

/** May only become smaller: a new deviation has to be argued for here. */
const deviationsAtMost = 3

const seen = new Set<string>()
let world: World
let dirt: Changed | null = null

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Only writes that succeed change the world, and a link that confirms an address; some of them its tables. */
function changedBy({ path, method }: Operation, { status }: Answer): Changed | null {
  if (path === '/users/register/verify-email') return status < 400 ? 'rows' : null
  if (method === 'GET' || status >= 300 || path === '/schema/diff') return null
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

const operationOf = (id: string, generation: Operation['generation'] = 'current'): Operation =>
  specs
    .flatMap(({ operations }) => operations)
    .find((each) => each.id === id && each.generation === generation) as Operation

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

const guesses = [
  ['login', { email: 'guessed@example.com', password: 'wrong-horse-42' }],
  ['authenticate', { email: 'guessed@example.com', password: 'wrong-horse-42' }],
  ['authenticateShare', { share: '00000000-0000-4000-8000-0000000000fe', password: 'wrong-horse-42' }],
] as const

test.each(guesses)('%s answers 429 to guessing', async (id, guessed) => {
  const login = specs.flatMap(({ operations }) => operations).find((each) => each.id === id) as Operation
  const plain = plainCase(login)
  const body = JSON.stringify(guessed)
  const guess = { ...plain, request: { ...plain.request, body } }
  const statuses = new Set<number>()
  for (let count = 0; count < 26; count += 1) {
    const answer = await sendCase(guess, { url: world.url, token: null })
    statuses.add(answer.status)
    seen.add(pairOf(login, answer.status))
    if (answer.status === 429) expect(Number(answer.retryAfter)).toBeGreaterThan(0)
  }
  expect(statuses).toContain(429)
})

const sharePassword = { share: '00000000-0000-4000-8000-0000000000fd', password: 'wrong-horse-42' }
const spareShare = '00000000-0000-4000-8000-0000000000fc'
const spareUser = '00000000-0000-4000-8000-0000000000f1'
const other = 'correct-horse-43'

/** Whatever hashes a password, with a body that has one. */
const hashing: readonly (readonly [string, Operation['generation'], object | null])[] = [
  ['login', 'current', null],
  ['authenticate', 'legacy', null],
  ['resetPassword', 'current', null],
  ['resetPassword', 'legacy', null],
  ['acceptInvite', 'current', null],
  ['createRegistration', 'current', null],
  ['createTfaSecret', 'current', null],
  ['createFirstAdministrator', 'current', null],
  ['authenticateShare', 'current', sharePassword],
  ['createUsers', 'current', { email: 'new@example.com', password: other }],
  ['updateUsers', 'current', { keys: [spareUser], data: { password: other } }],
  ['updateUser', 'current', { password: other }],
  ['updateMe', 'current', { password: other }],
  ['createShares', 'current', { collection: 'articles', item: '1', password: other }],
  ['updateShares', 'current', { keys: [spareShare], data: { password: other } }],
  ['updateShare', 'current', { password: other }],
  ['hashString', 'current', null],
  ['matchHash', 'current', null],
]

test.each(hashing)('%s (%s) is turned away while too many passwords wait', async (id, generation, body) => {
  await world.reset(dirt ?? 'rows')
  const operation = operationOf(id, generation)
  const plain = await fillTokens(world, plainCase(operation))
  const request = body === null ? plain.request : { ...plain.request, body: JSON.stringify(body) }
  const asked = { ...plain, request }
  const answer = await world.withoutHashTurns(() => sendCase(asked, { url: world.url, token: world.tokens.admin }))
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.retryAfter]).toEqual([503, '5'])
})

test('importItems is turned away while too many passwords wait', async () => {
  const operation = operationOf('importItems')
  const plain = good(operation)
  const draft = {
    ...plain,
    ...bodyOf(operation, { file: 'email,password\nnew@example.com,correct-horse-43\n' }),
    path: { collection: 'platform_users' },
  }
  const asked = toCase(operation, draft, { ...accepted, rule: 'users with passwords' })
  const answer = await world.withoutHashTurns(() => sendCase(asked, { url: world.url, token: world.tokens.admin }))
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.retryAfter]).toEqual([503, '5'])
})

/** What writes lists as files, and how it is asked to. */
const exporting = specs.flatMap(({ operations }) =>
  operations.flatMap((operation) => {
    const writesRows =
      operation.parameters.some(({ name }) => name === 'export') && operation.id !== 'readSchemaSnapshot'
    return writesRows || operation.id === 'exportItems' ? [[operation.id, operation] as const] : []
  }),
)

test.each(exporting)('%s is turned away while as many exports are written as may', async (_, operation) => {
  await world.reset(dirt ?? 'rows')
  const plain = plainCase(operation)
  const target = operation.method === 'GET' ? `${plain.request.target}?export=csv` : plain.request.target
  const asked = { ...plain, request: { ...plain.request, target } }
  const answer = await world.withoutExportTurns(() => sendCase(asked, { url: world.url, token: world.tokens.admin }))
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.retryAfter]).toEqual([503, '5'])
})

describe('a server that sends one mail to a mailbox', () => {
  let strict: World
  beforeAll(async () => {
    strict = await openWorld({
      RATE_LIMITER_EMAIL_ENABLED: 'true',
      RATE_LIMITER_EMAIL_POINTS: '1',
      RATE_LIMITER_REGISTRATION_ENABLED: 'true',
      RATE_LIMITER_REGISTRATION_POINTS: '1',
    })
  })
  afterAll(() => strict.close())

  test.each([
    ['requestPasswordReset', 'current', 204],
    ['requestPasswordReset', 'legacy', 429],
    ['createRegistration', 'current', 204],
    ['inviteUsers', 'current', 204],
    ['inviteToShare', 'current', 204],
  ] as const)('%s (%s) answers 429 to the second request', async (id, generation, first) => {
    await strict.reset()
    const operation = operationOf(id, generation)
    const ask = () => sendCase(plainCase(operation), { url: strict.url, token: strict.tokens.admin })
    // Both generations count together.
    expect((await ask()).status).toBe(first)
    const answer = await ask()
    seen.add(pairOf(operation, answer.status))
    expect(answer.status).toBe(429)
    expect(Number(answer.retryAfter)).toBeGreaterThan(0)
  })
})

test('the last administrator does not switch off a second factor that it could not set up again', async () => {
  await world.reset(dirt ?? 'rows')
  const operation = operationOf('disableTfa')
  const answer = await world.accounts.withDemandedCodes(async () => {
    const asked = await fillTokens(world, plainCase(operation))
    return sendCase(asked, { url: world.url, token: world.tokens.admin })
  })
  await world.reset()
  seen.add(pairOf(operation, answer.status))
  expect(answer.status).toBe(422)
})

test('a snapshot differs in nothing from the server that made it', async () => {
  await world.reset(dirt ?? 'rows')
  const operation = specs.flatMap(({ operations }) => operations).find(({ id }) => id === 'diffSchema') as Operation
  const headers = { authorization: `Bearer ${world.tokens.admin}`, 'content-type': 'application/json' }
  const response = await fetch(`${world.url}/schema/snapshot?export=json`, { headers })
  const each = toCase(operation, { ...good(operation), text: await response.text() }, { ...accepted, rule: 'its own' })
  const answer = await sendCase(each, { url: world.url, token: world.tokens.admin })
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.text]).toEqual([204, ''])
})

test('more sizes of a picture at once than the server makes', async () => {
  await world.reset(dirt ?? 'rows')
  const legacy = specs.find(({ generation }) => generation === 'legacy')
  const operation = legacy?.operations.find(({ id }) => id === 'readAsset') as Operation
  const plain = plainCase(operation)
  const ask = async (side: number) => {
    const request = { ...plain.request, target: `${plain.request.target}?w=${side}&h=${side}&f=crop` }
    const answer = await sendCase({ ...plain, request }, { url: world.url, token: world.tokens.admin })
    seen.add(pairOf(operation, answer.status))
    return answer
  }
  const answers = await Promise.all([2900, 2910, 2920, 2930, 2940, 2950].map(ask))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
})

describe.each(['readAsset', 'readNamedAsset'])('%s', (id) => {
  const operation = operationOf(id)
  const plain = plainCase(operation)
  const ask = async (search: string, headers: { readonly [name: string]: string } = {}) => {
    const request = { ...plain.request, target: `${plain.request.target}${search}`, headers }
    const answer = await sendCase({ ...plain, request }, { url: world.url, token: world.tokens.admin })
    seen.add(pairOf(operation, answer.status))
    return answer
  }

  beforeAll(() => world.reset())

  test('is not sent twice to who has it', async () => {
    const headers = { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() }
    const { status, text } = await ask('', headers)
    expect([status, text]).toEqual([304, ''])
  })

  test('more images at once than the server takes', async () => {
    const slow = encodeURIComponent('[["resize", 3000], ["blur", 30]]')
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => ask(`?transforms=${slow}&quality=${at}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    expect(answers.find(({ status }) => status === 503)?.retryAfter).toBe('9')
  })
})

test.each(['createFiles', 'updateFile'])('%s, when nothing can be stored, leaves no row', async (id) => {
  await world.reset('rows')
  const operation = operationOf(id)
  const body = new FormData()
  body.set('file', new File(['other'], 'other.txt'))
  const target = plainCase(operation).request.target
  const headers = { authorization: `Bearer ${world.tokens.admin}` }
  const sent = { method: operation.method, headers, body }
  const response = await world.withoutUploads(() => fetch(`${world.url}${target}`, sent))
  seen.add(pairOf(operation, response.status))
  expect(response.status).toBe(503)
  const { data } = (await (await fetch(`${world.url}/files?filter[type][_neq]=image/png`, { headers })).json()) as {
    data: readonly object[]
  }
  expect(data).toMatchObject([{ title: 'Notes', filesize: '5' }])
})

test.each([
  ['createUpload', 201],
  ['updateUpload', 204],
] as const)('%s, when nothing can be stored, keeps nothing', async (id, status) => {
  await world.reset('rows')
  const each = plainCase(operationOf(id))
  const sender = { url: world.url, token: world.tokens.admin }
  const answer = await world.withoutUploads(() => sendCase(each, sender))
  seen.add(pairOf(each.operation, answer.status))
  expect(answer.status).toBe(503)
  expect((await sendCase(each, sender)).status).toBe(status)
})

test('what cannot be fetched is not imported', async () => {
  const operation = operationOf('importFile')
  const plain = plainCase(operation)
  const asked = {
    ...plain,
    request: { ...plain.request, body: JSON.stringify({ url: 'https://example.com/nothing' }) },
  }
  const answer = await sendCase(asked, { url: world.url, token: world.tokens.admin })
  seen.add(pairOf(operation, answer.status))
  expect(answer.status).toBe(503)
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
