/**
 * Twins: the same question in the languages of both generations must give the same `query`, and the same SQL if both
 * generations show the values alike. For the file format see `twin-files.ts`. `UPDATE=1` updates the files.
 */
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { authorizeQuery } from '../src/authz/authorize.ts'
import { visibleView } from '../src/authz/grants.ts'
import { createView as viewCurrent } from '../src/current/views/schema-view.ts'
import { parseQuery as parseCurrent } from '../src/current/wire/query.ts'
import { parseFilter } from '../src/domain/conditions/filter-json.ts'
import { usualBounds } from '../src/domain/conditions/query-cost.ts'
import type { Limits } from '../src/domain/ports/settings.ts'
import { matchAll } from '../src/domain/query/filter.ts'
import type { Query } from '../src/domain/query/query.ts'
import type { Actor } from '../src/domain/rights/actor.ts'
import { type Failure, TandemError } from '../src/domain/rights/errors.ts'
import type { View } from '../src/domain/schema/view.ts'
import { parseQueryString } from '../src/http/request/query-string.ts'
import { createView as viewLegacy } from '../src/legacy/views/schema-view.ts'
import { parseQuery as parseLegacy } from '../src/legacy/wire/query.ts'
import { prepare } from '../src/sql/run/prepare.ts'
import { layOut } from '../src/sql/testing/test-query.ts'
import { type Answer, readTwin, type Twin, twinNames, writeTwin } from './twin-files.ts'
import { parseGql, parseGraphql, type TwinPlace, UnknownName, viewGraphql } from './twin-graphql.ts'
import { twinSchema as schema, twinSchemaOnMariaDb as schemaOnMariaDb } from './twins-schema.ts'

const limits: Limits = { queryDefault: 100, queryMax: null, depth: 10, batch: null, cost: usualBounds }
const clock = (): Date => new Date('2026-01-31T10:00:00Z')
type Language = { readonly view: View; readonly parse: (request: string, place: TwinPlace) => Query }

const views = { current: viewCurrent(schema), legacy: viewLegacy(schema) }

/** REST and GraphQL of each generation. */
const languages: { readonly [name: string]: Language } = {
  current: {
    view: views.current,
    parse: (request, place) => {
      const { parameters, collection } = readUrl(request)
      return parseCurrent(parameters, collection, place)
    },
  },
  legacy: {
    view: views.legacy,
    parse: (request, place) => {
      const { parameters, collection } = readUrl(request)
      return parseLegacy(parameters, collection, place).query
    },
  },
  graphql: { view: viewGraphql(views.current), parse: parseGraphql },
  gql: { view: views.legacy, parse: parseGql },
}

type Outcome = { readonly query?: Query; readonly refused?: readonly Failure[]; readonly sql?: Texts }

/** The statement by dialect. */
type Texts = { readonly [Name in (typeof compared)[number]]: string }

const compared = ['postgres', 'mysql', 'mysql8'] as const
const schemas = { postgres: schema, mysql: schemaOnMariaDb, mysql8: schemaOnMariaDb }

/** Only the legacy generation tells a field in a condition from one elsewhere, for the code of its answer. */
const withoutPlace = (failure: Failure): Failure => {
  if (failure.kind !== 'field-not-found') return failure
  const { within: _, ...rest } = failure
  return rest
}

function ask(request: string, { view, parse }: Language, actor: Actor): Outcome | 'no name' {
  let query: Query | undefined
  try {
    query = parse(request, { actor, schema, view: visibleView({ actor, schema, view }), limits })
    const authorized = authorizeQuery({ schema, view, actor, limits }, query)
    const texts = compared.map((name) => {
      const options = { schema: schemas[name], view, dialect: name, actor, clock }
      return [name, statementOf(() => prepare(authorized, options))] as const
    })
    return { query, sql: Object.fromEntries(texts) as Texts }
  } catch (error) {
    if (error instanceof UnknownName) return 'no name'
    if (!(error instanceof TandemError)) throw error
    const refused = error.failures.map(withoutPlace)
    return query === undefined ? { refused } : { query, refused }
  }
}

/** The statement and its values, or why the vendor has none. */
function statementOf(make: () => ReturnType<typeof prepare>): string {
  try {
    const { statement, values } = make()
    return `${layOut(statement.text)}\n-- ${JSON.stringify(values)}\n`
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures[0].kind !== 'invalid-query') throw error
    return `-- ${error.failures[0].reason}\n`
  }
}

/** `GET /_/items/articles?limit=1`. */
function readUrl(request: string) {
  const [, url = ''] = request.split(' ')
  const [address = '', text = ''] = url.split('?', 2)
  return { parameters: parseQueryString(text), collection: collectionAt(address) }
}

/** `/_/items/articles`; for files and folders `/_/files`. */
function collectionAt(address: string): string {
  const name = address.split('/').at(-1) ?? ''
  return address.includes('/items/') ? name : `platform_${name}`
}

/** An administrator, or a user with the read permissions of the twin. */
function actorOf(name: string, { rules: stored }: Twin): Actor {
  const rules = (stored ?? []).map(({ collection, fields, filter }) => ({
    collection,
    action: 'read' as const,
    fields,
    filter:
      filter === undefined
        ? matchAll
        : parseFilter(filter, { schema, collection }, { name: 'permissions', depth: 10, dynamicPaths: true }),
    validation: null,
    presets: null,
  }))
  const isAdmin = stored === undefined
  const access = { admin: isAdmin, app: false, policies: [], rules, fingerprint: isAdmin ? 'admin' : name }
  return { kind: 'user', user: '00000000-0000-4000-8000-000000000001', role: null, roles: [], access, session: null }
}

type Outcomes = { readonly [language: string]: readonly (Outcome | 'no name')[] }

/** The outcomes of all notations of the question, by language. */
function askAll(name: string, twin: Twin): Outcomes {
  const actor = actorOf(name, twin)
  const asked = Object.entries(languages).filter(([language]) => twin[language] !== undefined)
  return Object.fromEntries(
    asked.map(([language, each]) => [
      language,
      [twin[language] as string | readonly string[]].flat().map((request) => ask(request, each, actor)),
    ]),
  )
}

/** What the first language has; the SQL of those whose texts are equal comes once. */
function answerOf(outcomes: Outcomes): Answer {
  const first = Object.values(outcomes)[0]?.[0]
  const { sql, ...answer } = first === undefined || first === 'no name' ? {} : first
  if (sql === undefined) return answer
  const byDialect = compared.map((name) => {
    const texts = Map.groupBy(Object.entries(outcomes), ([, [each]]) => textOf(each, name))
    if (texts.size === 1) return [name, sql[name]] as const
    const spoken = [...texts].map(([text, who]) => [who.map(([language]) => language).join(' '), text])
    return [name, Object.fromEntries(spoken) as { readonly [language: string]: string }] as const
  })
  const { mysql8, ...others } = Object.fromEntries(byDialect)
  // A file has the SQL of MySQL 8 only where it is another than that of MariaDB.
  return { ...answer, sql: isDeepStrictEqual(mysql8, others['mysql']) ? others : { ...others, mysql8 } }
}

const textOf = (outcome: Outcome | 'no name' | undefined, name: keyof Texts): string =>
  outcome === undefined || outcome === 'no name' ? '' : (outcome.sql?.[name] ?? '')

test.each(twinNames)('%s means the same in every language that has it', (name) => {
  const twin = readTwin(name)
  const outcomes = askAll(name, twin)
  const answer = answerOf(outcomes)
  for (const spellings of Object.values(outcomes)) {
    const [first] = spellings
    for (const each of spellings) {
      // A name that may not be read is in no schema of GraphQL.
      if (each === 'no name') expect(answer.refused).toBeDefined()
      else if (first !== 'no name')
        expect(each).toEqual({ query: answer.query, refused: answer.refused, sql: first?.sql })
    }
  }
  if (process.env['UPDATE'] === '1') writeTwin(name, answer)
  const question = ['about', 'rules', ...Object.keys(languages)]
  const written = Object.entries(readTwin(name)).filter(([key]) => !question.includes(key))
  expect(Object.fromEntries(written)).toEqual(answer)
})

const having = (names: readonly string[]): readonly Twin[] =>
  twinNames.map(readTwin).filter((twin) => names.every((name) => name in twin))

test('there are at least forty questions that both generations can ask', () => {
  expect(having(['current', 'legacy']).length).toBeGreaterThanOrEqual(40)
})

test('most questions are asked by GraphQL too', () => {
  expect(having(['current', 'graphql']).length).toBeGreaterThanOrEqual(45)
  expect(having(['legacy', 'gql']).length).toBeGreaterThanOrEqual(35)
})

/** What makes a question of REST one that GraphQL has no words for. */
const beyondGraphql: readonly (readonly [reason: string, request: RegExp])[] = [
  ['all columns, which GraphQL names one by one', /\*|^[^?]*$|^(?!.*(fields|aggregate)=)/],
  ['the key that a relation holds, and no item', /(fields=|[,.])(author|owner|mentor)(?=[,&]|$)/],
  ['a condition on the key that a relation holds', /\[(owner|article|language)\](\[_(?!null|nnull)|=)/],
  ['functions, which stand in an object of their own', /fields=[^&]*\(/],
  ['counts beside the items', /meta=/],
]

test.each(having(['current']).map((twin) => [String([twin['current']].flat()[0]), twin] as const))(
  '%s is asked by GraphQL too, if it can be',
  (request, twin) => {
    const reasons = beyondGraphql.flatMap(([reason, pattern]) => (pattern.test(request) ? [reason] : []))
    if (twin['graphql'] === undefined) expect(reasons).not.toEqual([])
  },
)
