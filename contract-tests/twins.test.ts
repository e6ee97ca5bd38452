/**
 * Twins: the same question in the languages of both generations must give the same `query`, and the same SQL if both
 * generations show the values alike. For the file format see `twin-files.ts`. `UPDATE=1` updates the files.
 */
import { expect, test } from 'vitest'
import { authorizeQuery } from '../src/authz/authorize.ts'
import { visibleView } from '../src/authz/visible-view.ts'
import { createView as viewCurrent } from '../src/current/views/schema-view.ts'
import { parseQuery as parseCurrent } from '../src/current/wire/query.ts'
import { parseFilter } from '../src/domain/conditions/filter-json.ts'
import { usualBounds } from '../src/domain/conditions/query-cost.ts'
import type { Limits } from '../src/domain/ports/context.ts'
import { matchAll } from '../src/domain/query/filter.ts'
import type { Query } from '../src/domain/query/query.ts'
import type { Actor } from '../src/domain/rights/actor.ts'
import { type Failure, TandemError } from '../src/domain/rights/errors.ts'
import type { View } from '../src/domain/schema/view.ts'
import { parseQueryString } from '../src/http/request/query-string.ts'
import { createView as viewLegacy } from '../src/legacy/views/schema-view.ts'
import { parseQuery as parseLegacy } from '../src/legacy/wire/query.ts'
import { dialects } from '../src/sql/dialects/dialects.ts'
import { prepare } from '../src/sql/run/prepare.ts'
import { layOut } from '../src/sql/testing/test-query.ts'
import { type Answer, readTwin, type Twin, twinNames, writeTwin } from './twin-files.ts'
import { twinSchema as schema } from './twins-schema.ts'

const limits: Limits = { queryDefault: 100, queryMax: null, depth: 10, batch: null, cost: usualBounds }
const clock = (): Date => new Date('2026-01-31T10:00:00Z')

type Parse = (parameters: { readonly [name: string]: unknown }, collection: string, actor: Actor) => Query
type Generation = { readonly view: View; readonly parse: Parse }

const views = { current: viewCurrent(schema), legacy: viewLegacy(schema) }

const generations: { readonly [name: string]: Generation } = {
  current: {
    view: views.current,
    parse: (parameters, collection, actor) =>
      parseCurrent(parameters, collection, {
        schema,
        view: visibleView({ actor, schema, view: views.current }),
        limits,
      }),
  },
  legacy: {
    view: views.legacy,
    parse: (parameters, collection, actor) =>
      parseLegacy(parameters, collection, {
        schema,
        view: visibleView({ actor, schema, view: views.legacy }),
        limits,
      }).query,
  },
}

/** The query and SQL of a request, or its failures. */
type Outcome = { readonly query?: Query; readonly refused?: readonly Failure[]; readonly sql?: string }

function ask(request: string, { view, parse }: Generation, actor: Actor): Outcome {
  const [, url = ''] = request.split(' ')
  const [address = '', text = ''] = url.split('?', 2)
  let query: Query | undefined
  try {
    query = parse(parseQueryString(text), collectionAt(address), actor)
    const authorized = authorizeQuery({ schema, view, actor, limits }, query)
    const { statement, values } = prepare(authorized, { schema, view, dialect: dialects.postgres, actor, clock })
    return { query, sql: `${layOut(statement.text)}\n-- ${JSON.stringify(values)}\n` }
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    return query === undefined ? { refused: error.failures } : { query, refused: error.failures }
  }
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

/** The outcomes of all notations of the question, by language. */
function askAll(name: string, twin: Twin): { readonly [language: string]: readonly Outcome[] } {
  const actor = actorOf(name, twin)
  const asked = Object.entries(generations).filter(([language]) => twin[language] !== undefined)
  return Object.fromEntries(
    asked.map(([language, generation]) => [
      language,
      [twin[language] as string | readonly string[]].flat().map((request) => ask(request, generation, actor)),
    ]),
  )
}

function answerOf(outcomes: { readonly [language: string]: readonly Outcome[] }): Answer {
  const { sql, ...answer } = Object.values(outcomes)[0]?.[0] ?? {}
  if (sql === undefined) return answer
  const texts = Object.entries(outcomes).map(([language, [first]]) => [language, first?.sql ?? ''] as const)
  const isOne = texts.every(([, text]) => text === sql)
  return { ...answer, sql: { postgres: isOne ? sql : Object.fromEntries(texts) } }
}

test.each(twinNames)('%s means the same in every language that has it', (name) => {
  const twin = readTwin(name)
  const outcomes = askAll(name, twin)
  const answer = answerOf(outcomes)
  for (const spellings of Object.values(outcomes)) {
    const [{ sql } = {}] = spellings
    for (const each of spellings) expect(each).toEqual({ query: answer.query, refused: answer.refused, sql })
  }
  if (process.env['UPDATE'] === '1') writeTwin(name, answer)
  const question = ['about', 'rules', ...Object.keys(generations)]
  const written = Object.entries(readTwin(name)).filter(([key]) => !question.includes(key))
  expect(Object.fromEntries(written)).toEqual(answer)
})

test('there are at least forty questions that both generations can ask', () => {
  const both = twinNames.map(readTwin).filter((twin) => Object.keys(generations).every((name) => name in twin))
  expect(both.length).toBeGreaterThanOrEqual(40)
})
