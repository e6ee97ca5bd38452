/** The table of foreign deployments, by answers recorded there. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allChecks } from './src/checks/all.ts'
import { differenceOf, directusDifferences, flavors } from './src/flavor/flavors.ts'
import type { Ask } from './src/http/client.ts'
import { type Check, type Trial, titleOf } from './src/run/check.ts'
import { runChecks } from './src/run/runner.ts'
import { collectionNames } from './src/world/fields.ts'
import { articleDrafts, authorDrafts, tagDrafts } from './src/world/rows.ts'
import type { World } from './src/world/world.ts'

const checks = allChecks(
  {
    spec: null,
    generations: ['current'],
    hasGraphql: true,
    hasChanges: true,
    hasBatch: true,
    hasSockets: true,
    hasSubscriptions: true,
  },
  ['deployment', 'world'],
)

type Recorded = readonly (readonly [request: RegExp, status: number, body?: unknown, etag?: string])[]

const forbidden = {
  errors: [{ message: "You don't have permission to access this.", extensions: { code: 'FORBIDDEN' } }],
}
const failed = {
  errors: [{ message: 'Validation failed for field "text".', extensions: { code: 'FAILED_VALIDATION' } }],
}
const invalid = { errors: [{ message: 'Invalid query.', extensions: { code: 'INVALID_QUERY' } }] }
const draft = { id: 1, title: 'mark', views: 1 }
const ofDatabase = (message: string) => ({ errors: [{ message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
const noInteger = ofDatabase(
  'insert into "drafts" ("title", "views") values ($1, $2) - invalid input syntax for type integer: "many"',
)
const noColumn = ofDatabase('select "id" from "articles" order by "nothing" - column "nothing" does not exist')

/** The answers that show each difference, in the order of the table; the first one that fits a request is given. */
const recorded: readonly Recorded[] = [
  [
    [/^POST .*_drafts/, 200, { data: draft }],
    [/^GET .*_drafts\/1/, 200, { data: draft }, 'W/"1a-mJ4"'],
    [/^PATCH .*_drafts\/1/, 200, { data: draft }],
    [/^DELETE .*_drafts\/1/, 204],
  ],
  [
    [/^POST .*_drafts/, 200, { data: draft }],
    [/^DELETE .*_drafts\/1/, 204],
    [/^GET .*_drafts\/1/, 403, forbidden],
    [/^GET .*_drafts\?/, 200, { data: [draft] }],
  ],
  [
    [/^POST .*_drafts/, 200, { data: draft }],
    [/^DELETE .*_drafts/, 204],
  ],
  [
    [/^POST .*_drafts/, 200, { data: draft }],
    [/^PATCH .*_drafts/, 200, { data: [{ ...draft, views: 2 }] }],
  ],
  [
    [/^(POST|PATCH) .*_drafts.*"many"/, 500, noInteger],
    [/^POST .*_drafts.*"text":null/, 400, failed],
    [/^POST .*_drafts.*"code":"mark".*"code"|^GET .*_or/, 200, { data: [] }],
    [/^POST .*_drafts/, 200, { data: draft }],
    [/^GET /, 200, { data: [] }],
  ],
  [
    [/^GET .*sort=/, 500, noColumn],
    [/^GET /, 200, { data: [] }],
  ],
  [[/^GET .*filter=.*/, 400, invalid]],
  [
    [/^GET .*fields=nothing/, 200, { data: [] }],
    [/^GET /, 500, {}],
  ],
  [[/^GET .*aggregate/, 200, { data: [{}] }]],
  [[/^GET .*fields=id/, 200, { data: [{ id: 1 }] }]],
  [[/^GET /, 200, { data: [{ id: 2 }, { id: 1 }] }]],
  [[/^GET .*search=/, 200, { data: [{ id: 1 }] }]],
  [
    [
      /^POST \/graphql/,
      200,
      {
        data: {
          it: [
            {
              countAll: null,
              count: { views: 9 },
              sum: { views: 3 },
              min: { views: 2 },
              max: { views: 9 },
              countDistinct: { views: 8 },
            },
          ],
        },
      },
    ],
    [
      /^GET .*aggregate/,
      200,
      {
        data: [
          {
            count: { views: '9' },
            sum: { views: '3' },
            min: { views: 2 },
            max: { views: 9 },
            countDistinct: { views: '8' },
          },
        ],
      },
    ],
  ],
  [
    [/^GET .*sort=/, 500, noColumn],
    [/^GET /, 403, forbidden],
  ],
]

const names = collectionNames('tv_test')
const articles = articleDrafts().map((row, at) => ({ ...row, id: at + 1 }))
const world: World = {
  prefix: 'tv_test',
  names,
  rows: {
    articles,
    authors: authorDrafts().map((row, at) => ({ ...row, id: at + 1 })),
    tags: tagDrafts().map((row, at) => ({ ...row, id: at + 1 })),
  },
  visible: articles.filter(({ live }) => live === true),
  reader: { id: '', role: '', policy: '', email: '', password: '', token: '' },
}

const askOf =
  (answers: Recorded): Ask =>
  async (line, { as = 'admin', query = {}, headers = {}, body: sent } = {}) => {
    const text = `${line}?${Object.entries(query)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join('&')} ${JSON.stringify(sent) ?? ''}`
    const [, status = 404, body, etag] = answers.find(([request]) => request.test(text)) ?? []
    const [method = '', path = ''] = line.split(' ')
    const written = body === undefined ? '' : JSON.stringify(body)
    return {
      request: { method, address: `http://recorded${path}`, as, headers, body: null },
      status,
      headers: new Headers(etag === undefined ? {} : { etag }),
      mediaType: 'application/json',
      bytes: Buffer.from(written),
      text: written,
      json: body,
      milliseconds: 1,
    }
  }

const failuresOf = async (check: Check, answers: Recorded): Promise<string | null> => {
  const trial: Trial = {
    ask: askOf(answers),
    world,
    spec: null,
    flavor: flavors.tandem,
    tokens: { admin: null, reader: null, public: null },
    connect: async () => null,
    random: { seed: 1, runs: 1 },
    mark: () => 'mark',
    remove: () => {},
    removeNamed: () => {},
  }
  const signal = new AbortController().signal
  const [outcome] = await runChecks({ checks: [check], trial, conforms: null, concurrency: 1, bail: false, signal })
  return outcome?.failure?.message ?? null
}

const rows = directusDifferences.map((difference, at) => [difference.because, difference, recorded[at] ?? []] as const)

test.each(rows)('%s', async (_because, { check: pattern }, answers) => {
  const meant = checks.filter((check) => pattern.test(titleOf(check)))
  expect(meant.length).toBeGreaterThan(0)
  for (const check of meant) {
    const failure = await failuresOf(check, answers)
    expect([titleOf(check), failure]).toEqual([titleOf(check), expect.any(String)])
    expect(failure).not.toBe('The check could not read the answer')
  }
})

test('the README lists every difference', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const [, table = ''] = readme.split('<!-- differences -->')
  const titles = table.split('\n').flatMap((line) => /^\| (.+) \| .+ \|$/.exec(line)?.[1] ?? [])
  expect(titles.slice(1)).toEqual(directusDifferences.map(({ because }) => because))
})

test('every difference has recorded answers, and only the flavor leaves its checks out', () => {
  expect(recorded.length).toBe(directusDifferences.length)
  const left = checks.map(titleOf).filter((title) => differenceOf(flavors.directus, title) !== null)
  expect(left.length).toBeGreaterThanOrEqual(directusDifferences.length)
  expect(left.length).toBeLessThan(checks.length / 4)
  expect(checks.map(titleOf).filter((title) => differenceOf(flavors.tandem, title) !== null)).toEqual([])
})
