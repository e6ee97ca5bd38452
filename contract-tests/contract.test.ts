import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted, bodyOf, type Draft, good, plainCase, toCase } from '../verify/src/cases/case.ts'
import { complaintsOf } from '../verify/src/cases/complaints.ts'
import { sendCase } from '../verify/src/cases/send.ts'
import type { Answer } from '../verify/src/http/exchange.ts'
import type { Operation } from '../verify/src/spec/operations.ts'
import { createValidate } from '../verify/src/spec/validate.ts'
import { expectedOutcome } from './access.ts'
import { questions } from './access-questions.ts'
import { outcomeOf } from './access-rows.ts'
import { casesOf } from './cases.ts'
import { coverageOf, coverageTable, type Deviation, pairOf } from './coverage.ts'
import type { WorldCase } from './data-cases.ts'
import deviations from './deviations.json' with { type: 'json' }
import { createDirt } from './dirt.ts'
import { faults } from './faults.ts'
import { hashing } from './hashing.ts'
import { keyTests } from './key-answers.ts'
import { deadMailTests, mails, oneMail } from './limited.ts'
import { login } from './live-tokens.ts'
import { guessTests, loginTests, refusedLoginTests } from './login-answers.ts'
import { prismFindings } from './prism.ts'
import { projectQuestions } from './project-questions.ts'
import { type GraphqlRequest, refusedGraphql } from './refused-graphql.ts'
import { isPlain, isServer, parted, smallBodies, unaskedOnServer } from './refused-unread.ts'
import { specs } from './spec.ts'
import { changedBy, openWorld, type UserKind, userKinds, type World } from './world.ts'

/** May only become smaller. 15th: `readInfo`, another path of `readProjectInfo`; 16th to 19th: extensions of a project. */
const deviationsAtMost = 19
const seen = new Set<string>()
/** One answer per status, by operation. */
const samples = new Map<Operation, Map<number, Answer>>()
const { clean, fill, note } = createDirt(() => world)

const world = await openWorld(smallBodies)
afterAll(() => world.close())

/** Answers to the plainest requests as administrator. */
const plainAnswers = new Map<Operation, Answer>()

for (const spec of specs) {
  const validate = createValidate(spec)
  const { refusals, others } = parted(casesOf(spec, validate, faults))

  const complaintsAbout = async (each: WorldCase): Promise<readonly string[]> => {
    const asked = await fill(each)
    const answer = await sendCase(asked, { url: world.url, token: world.tokens[each.as] })
    if (each.request.method !== 'SEARCH') note(changedBy(each.operation, answer))
    remember(each.operation, answer)
    if (isPlain(each)) plainAnswers.set(each.operation, answer)
    const { method, target } = asked.request
    return complaintsOf(each, answer, validate).map((complaint) => `${each.rule} (${method} ${target}): ${complaint}`)
  }

  // First, because they change nothing: the world stays clean.
  describe(`refusals in the ${spec.generation} generation`, () => {
    test.for(refusals)('$operation.id, $cases.length requests', async ({ cases }) => {
      const complaints: string[] = []
      for (const each of cases) complaints.push(...(await complaintsAbout(each)))
      expect(complaints).toEqual([])
    })
  })

  describe(`the server in the ${spec.generation} generation`, () => {
    test.for(others)('$operation.id, $kind, $rule', async (each) => {
      await clean()
      expect(await complaintsAbout(each)).toEqual([])
    })
  })
}

const remember = (operation: Operation, answer: Answer): void => {
  seen.add(pairOf(operation, answer.status))
  samples.set(operation, (samples.get(operation) ?? new Map<number, Answer>()).set(answer.status, answer))
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
    const { generation, id } = operation
    const expected = expectedOutcome(generation, id, kind)
    // What an administrator may do has been asked as the first case of the operation.
    const known = kind === 'admin' && expected === 'yes' ? plainAnswers.get(operation) : undefined
    const answer = known ?? (await askPlainly(operation, kind))
    expect(outcomeOf(answer), answer.text).toBe(expected)
    expect([...operation.responses.keys()]).toContain(answer.status)
  })
})

async function askPlainly(operation: Operation, kind: UserKind): Promise<Answer> {
  await clean()
  const asked = await fill(plainCase(operation))
  const answer = await sendCase(asked, { url: world.url, token: world.tokens[kind] })
  note(changedBy(operation, answer))
  remember(operation, answer)
  return answer
}

const administrative = meetings.filter(({ operation, kind }) => operation.administratorsOnly && kind !== 'admin')

test.for(administrative)('$operation.id refuses $kind whatever the body is', async ({ operation, kind }) => {
  const plain = plainCase(operation)
  const hasBody = operation.body !== null
  const request = { ...plain.request, body: hasBody ? '{"broken":' : null }
  const answer = await sendCase({ ...plain, request }, { url: world.url, token: world.tokens[kind] })
  seen.add(pairOf(operation, answer.status))
  expect(answer.status, answer.text).toBe(403)
})

const asked = questions.flatMap((question) =>
  userKinds.map((kind, at) => ({ ...question, kind, expected: question.row[at] })),
)

describe('the access matrix beyond operations', () => {
  test.for(asked)('$generation $operation, $rule, as $kind', async (question) => {
    await clean()
    const operation = operationOf(question.operation, question.generation)
    const { given, level, body, cookie, kind, expected } = question
    if (given !== undefined) await sendAs('admin', operation, { body: given })
    if (level !== undefined) await sendAs('admin', operationOf('createPermissions', 'legacy'), { body: level })
    const headers =
      cookie === undefined ? {} : { cookie: `${cookie}=${(await login(world.url, '/auth/login')).access_token}` }
    const answer = await sendAs(kind, operation, { body, headers })
    note('rows')
    expect(outcomeOf(answer), answer.text).toBe(expected)
  })
})

const sendAs = (kind: UserKind, operation: Operation, part: Partial<Draft>): Promise<Answer> =>
  sendCase(toCase(operation, { ...good(operation), ...part }, { ...accepted, rule: 'a question' }), {
    url: world.url,
    token: world.tokens[kind],
  })

test('the health of a server without its storage is an error', async () => {
  const health = operationOf('readServerHealth')
  const answer = await world.withoutStorage(() => sendCase(plainCase(health), { url: world.url, token: null }))
  seen.add(pairOf(health, answer.status))
  expect([answer.status, answer.json]).toEqual([503, { status: 'error' }])
})

test('a server whose database does not answer is not ready', async () => {
  const readiness = operationOf('readServerReadiness')
  const answer = await world.withoutDatabase(() => sendCase(plainCase(readiness), { url: world.url, token: null }))
  seen.add(pairOf(readiness, answer.status))
  expect([answer.status, answer.json]).toEqual([503, { status: 'error' }])
})

guessTests({ world: () => world, seen, note, operationOf })
keyTests(specs, { world: () => world, seen, clean, fill })

test.each(hashing)('%s (%s) gets 503 while the hashing queue is full', async (id, generation, body) => {
  await clean()
  const operation = operationOf(id, generation)
  const plain = await fill(plainCase(operation))
  const request = body === null ? plain.request : { ...plain.request, body: JSON.stringify(body) }
  const asked = { ...plain, request }
  const answer = await world.withoutHashTurns(() => sendCase(asked, { url: world.url, token: world.tokens.admin }))
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
})

const rows = 'email,password\nnew@example.com,correct-horse-43\n'
const items = [{ email: 'new@example.com', password: 'correct-horse-43' }]
test.each([
  ['importItems', { file: rows }],
  ['importCollections', [{ collection: 'platform_users', items }]],
])('%s gets 503 while the hashing queue is full', async (id, body) => {
  const operation = operationOf(id)
  const draft = { ...good(operation), ...bodyOf(operation, body), path: { collection: 'platform_users' } }
  const asked = toCase(operation, draft, { ...accepted, rule: 'users with passwords' })
  const answer = await world.withoutHashTurns(() => sendCase(asked, { url: world.url, token: world.tokens.admin }))
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
})

/** Operations that export lists as files, with the parameters of an export. */
const exporting = specs.flatMap(({ operations }) =>
  operations.flatMap((operation) => {
    const writesRows =
      operation.parameters.some(({ name }) => name === 'export') && operation.id !== 'readSchemaSnapshot'
    return writesRows || operation.id === 'exportItems' ? [[operation.id, operation] as const] : []
  }),
)

test.each(exporting)('%s gets 503 while the maximum number of exports is running', async (_, operation) => {
  await clean()
  const plain = plainCase(operation)
  const target = operation.method === 'GET' ? `${plain.request.target}?export=csv` : plain.request.target
  const asked = { ...plain, request: { ...plain.request, target } }
  const answer = await world.withoutExportTurns(() => sendCase(asked, { url: world.url, token: world.tokens.admin }))
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
})

describe('a server that sends one mail to a mailbox', () => {
  let strict: World
  beforeAll(async () => {
    strict = await openWorld(oneMail)
  })
  afterAll(() => strict.close())

  test.each(mails)('%s (%s) answers 429 to the second request', async (id, generation, first) => {
    await strict.reset()
    const operation = operationOf(id, generation)
    const ask = () => sendCase(plainCase(operation), { url: strict.url, token: strict.tokens.admin })
    // Both generations share the counters.
    expect((await ask()).status).toBe(first)
    const answer = await ask()
    seen.add(pairOf(operation, answer.status))
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  refusedLoginTests({ world: () => strict, seen, note, operationOf })
})

describe('a login by a provider', () => loginTests({ world: () => world, seen, note, operationOf }))
deadMailTests({ seen, operationOf })

test('the last administrator cannot disable a second factor that it could not set up again', async () => {
  await clean()
  const operation = operationOf('disableTfa')
  const answer = await world.accounts.withDemandedCodes(async () => {
    const asked = await fill(plainCase(operation))
    return sendCase(asked, { url: world.url, token: world.tokens.admin })
  })
  await world.reset()
  seen.add(pairOf(operation, answer.status))
  expect(answer.status).toBe(422)
})

test.each(projectQuestions)('$id of a project, $rule', async ({ id, change, isLocked, expected }) => {
  const operation = operationOf(id, 'legacy')
  const draft = change(good(operation))
  const each = toCase(operation, draft, { ...accepted, rule: 'a question' })
  const ask = () => sendCase(each, { url: world.url, token: null })
  const answer = await (isLocked === true ? world.withLockedProjects(ask) : ask())
  seen.add(pairOf(operation, answer.status))
  const [status, code] = expected
  expect([answer.status, answer.json]).toEqual([status, { error: { code, message: expect.any(String) } }])
})

test('a snapshot has no differences from its own server', async () => {
  await clean()
  const operation = operationOf('diffSchema')
  const headers = { authorization: `Bearer ${world.tokens.admin}`, 'content-type': 'application/json' }
  const response = await fetch(`${world.url}/schema/snapshot?export=json`, { headers })
  const each = toCase(operation, { ...good(operation), text: await response.text() }, { ...accepted, rule: 'its own' })
  const answer = await sendCase(each, { url: world.url, token: world.tokens.admin })
  seen.add(pairOf(operation, answer.status))
  expect([answer.status, answer.text]).toEqual([204, ''])
})

test('more concurrent transforms than the server allows', async () => {
  await clean()
  const operation = operationOf('readAsset', 'legacy')
  const plain = plainCase(operation)
  const ask = async (side: number) => {
    const request = { ...plain.request, target: `${plain.request.target}?w=${side}&h=${side}&f=crop` }
    const answer = await sendCase({ ...plain, request }, { url: world.url, token: world.tokens.admin })
    seen.add(pairOf(operation, answer.status))
    return answer
  }
  const answers = await Promise.all([1500, 1510, 1520].map(ask))
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

  test('responds with 304 to a client that has the content', async () => {
    const headers = { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() }
    const { status, text } = await ask('', headers)
    expect([status, text]).toEqual([304, ''])
  })

  test('more concurrent images than the server allows', async () => {
    const slow = encodeURIComponent('[["resize", 1500], ["blur", 30]]')
    // Other results than those of the other operation, which are stored.
    const first = id === 'readAsset' ? 1 : 11
    const answers = await Promise.all([0, 1, 2].map((at) => ask(`?transforms=${slow}&quality=${first + at}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('59')
  })
})

test.each(['createFiles', 'updateFile'])('%s leaves no row when the storage fails', async (id) => {
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

test('a file that cannot be downloaded is not imported', async () => {
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

/** Errors of GraphQL requests that concern no field. */
describe('GraphQL over HTTP', () => {
  test.for(refusedGraphql)('%s refuses %s', async ([id, , { ...request }, status]) => {
    const { mutation = false, generation, ...init } = request as GraphqlRequest
    const operation = operationOf(id, generation)
    const fields = {
      '/graphql': 'create_tags_item(data: { name: "x" }) { id }',
      '/graphql/system': 'utils_cache_clear',
    }
    const field = mutation ? `mutation { ${fields[operation.path as '/graphql']} }` : '{ __typename }'
    const url = `${world.url}${operation.path.replace('{project}', '_')}${init.method === 'POST' ? '' : `?query=${encodeURIComponent(field)}`}`
    const token = mutation ? { authorization: `Bearer ${world.tokens.admin}` } : {}
    const answer = await fetch(url, { ...init, headers: { ...(init.headers as { [name: string]: string }), ...token } })
    seen.add(pairOf(operation, answer.status))
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, status === 405 ? 'POST' : null])
  })
})

test('Prism finds nothing in an answer of each operation and status', async () => {
  const findings = await Promise.all(
    [...samples].flatMap(([operation, answers]) =>
      [...answers.values()].map(async (answer) => {
        const found = await prismFindings(operation, answer)
        return found.map((finding) => `${operation.generation} ${operation.id}: ${finding}`)
      }),
    ),
  )
  const count = [...samples.values()].reduce((sum, { size }) => sum + size, 0)
  expect(findings.flat()).toEqual([])
  expect(count).toBeGreaterThan(500)
})

test('Prism finds an answer that does not fit', async () => {
  const operation = operationOf('readItems')
  const answer = { status: 200, mediaType: 'application/json', text: '', json: { data: 'none' } }
  expect(await prismFindings(operation, answer)).toContain('body.data: Response body property data must be array')
  const [other] = await prismFindings(operation, { ...answer, status: 418, json: {} })
  expect(other).toContain('status code')
})

describe('coverage', () => {
  test('every documented response was received or is listed as a deviation', () => {
    const excused: readonly Deviation[] = [...deviations, ...(isServer ? unaskedOnServer : [])]
    const { missing, stale, ...totals } = coverageOf(specs, seen, excused)
    console.info(`${coverageTable(specs, seen)}\n`, totals)
    expect({ missing, stale }, [...missing, ...stale].join(', ')).toEqual({ missing: [], stale: [] })
  })

  test('the list of deviations did not grow', () => expect(deviations.length).toBeLessThanOrEqual(deviationsAtMost))
})
