/**
 * Twins: one question in the languages of both generations gives one `query.json`, and the same SQL where both show
 * the values alike. A question that only one generation can ask has just that file. `UPDATE=1` writes the golden files.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authorizeQuery } from '../src/authz/authorize.ts'
import { visibleView } from '../src/authz/visible-view.ts'
import { parseQuery as parseCurrent } from '../src/current/query.ts'
import { createView as viewCurrent } from '../src/current/schema-view.ts'
import type { Actor } from '../src/domain/actor.ts'
import type { Limits } from '../src/domain/context.ts'
import { TandemError } from '../src/domain/errors.ts'
import { matchAll } from '../src/domain/filter.ts'
import { parseFilter } from '../src/domain/filter-json.ts'
import type { Query } from '../src/domain/query.ts'
import type { View } from '../src/domain/view.ts'
import { parseQueryString } from '../src/http/query-string.ts'
import { parseQuery as parseLegacy } from '../src/legacy/query.ts'
import { createView as viewLegacy } from '../src/legacy/schema-view.ts'
import { dialects } from '../src/sql/dialects.ts'
import { prepare } from '../src/sql/prepare.ts'
import { withoutSettling } from '../src/sql/test-query.ts'
import { twinSchema as schema } from './twins-schema.ts'

const folder = join(import.meta.dirname, 'twins')
const limits: Limits = { queryDefault: 100, queryMax: null, depth: 10, batch: null }
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
      parseLegacy(parameters, collection, { schema, view: views.legacy, limits, actor }).query,
  },
}

const twins = readdirSync(folder).toSorted()

/** Queries and failures by generation, then the SQL of each. */
type Outcome = { readonly query: unknown; readonly sql: string | null }

function ask(twin: string, name: string): Outcome | null {
  const path = join(folder, twin, `${name}.txt`)
  const generation = generations[name]
  if (!existsSync(path) || generation === undefined) return null
  const [, url = ''] = readFileSync(path, 'utf8').trim().split(' ')
  const [address = '', text = ''] = url.split('?', 2)
  const actor = actorOf(twin)
  let query: Query | null = null
  try {
    query = generation.parse(parseQueryString(text), collectionAt(address), actor)
    const authorized = authorizeQuery({ schema, view: generation.view, actor, limits }, query)
    const { statement, values } = prepare(authorized, {
      schema,
      view: generation.view,
      dialect: dialects.postgres,
      actor,
      clock,
    })
    return { query, sql: `${withoutSettling(statement.text)}\n-- ${JSON.stringify(values)}\n` }
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    return query === null
      ? { query: { refused: error.failures }, sql: null }
      : { query, sql: `-- refused ${JSON.stringify(error.failures)}\n` }
  }
}

/** `/_/items/articles` or, of files and folders, `/_/files`. */
function collectionAt(address: string): string {
  const name = address.split('/').at(-1) ?? ''
  return address.includes('/items/') ? name : `platform_${name}`
}

type StoredRule = { readonly collection: string; readonly fields: '*' | readonly string[]; readonly filter?: unknown }

/** An administrator, or who `actor.json` says: a user that may read what its rules cover. */
function actorOf(twin: string): Actor {
  const path = join(folder, twin, 'actor.json')
  const isLimited = existsSync(path)
  const stored = isLimited
    ? (JSON.parse(readFileSync(path, 'utf8')) as { readonly rules: readonly StoredRule[] })
    : { rules: [] }
  const rules = stored.rules.map(({ collection, fields, filter }) => ({
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
  const access = { admin: !isLimited, app: false, policies: [], rules, fingerprint: isLimited ? twin : 'admin' }
  return { kind: 'user', user: '00000000-0000-4000-8000-000000000001', role: null, roles: [], access, session: null }
}

function golden(twin: string, file: string, text: string | null): void {
  const path = join(folder, twin, file)
  if (process.env['UPDATE'] === '1' && text !== null) writeFileSync(path, text)
  expect(text, `${twin}/${file}`).toBe(existsSync(path) ? readFileSync(path, 'utf8') : null)
}

test.each(twins)('%s means the same in every language that has it', (twin) => {
  const current = ask(twin, 'current')
  const legacy = ask(twin, 'legacy')
  if (current !== null && legacy !== null) expect(current.query).toEqual(legacy.query)
  const one = current ?? legacy
  expect(one).not.toBeNull()
  golden(twin, 'query.json', `${JSON.stringify(one?.query, null, 2)}\n`)
  const same = current === null || legacy === null || current.sql === legacy.sql
  golden(twin, 'postgres.sql', same ? (one?.sql ?? null) : null)
  golden(twin, 'postgres.current.sql', same ? null : (current?.sql ?? null))
  golden(twin, 'postgres.legacy.sql', same ? null : (legacy?.sql ?? null))
})

test('there are at least forty questions that both generations can ask', () => {
  const both = twins.filter((twin) =>
    ['current', 'legacy'].every((name) => existsSync(join(folder, twin, `${name}.txt`))),
  )
  expect(both.length).toBeGreaterThanOrEqual(40)
})
