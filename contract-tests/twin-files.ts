/**
 * Files of twins. `twins/<name>.yaml` contains one question:
 * - `about`: its purpose, if the name does not express it;
 * - `rules`: the read permissions of the user (absent: an administrator);
 * - one entry per language (`current`, `legacy`: REST; `graphql`, `gql`: GraphQL): the request, or a list of equivalent requests;
 * - `query`: the parsed query, without the parts that equal the neutral query;
 * - `refused`: the expected failures in parsing (then there is no `query`) or in authorization;
 * - `sql`: by dialect, the statement and, as its last line, the values; by language if the statements differ. `mysql8`
 *   stands beside `mysql` only where MySQL needs another statement than MariaDB.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isScalar, parse, parseDocument, visit } from 'yaml'
import { rowsOf } from '../src/domain/query/rows-of.ts'

type StoredRule = {
  readonly collection: string
  readonly fields: '*' | readonly string[]
  readonly filter?: unknown
}

type Tree = { readonly [key: string]: unknown }

/** The parts of a file that are computed; the other parts are the question. */
export type Answer = {
  readonly query?: unknown
  readonly refused?: unknown
  readonly sql?: { readonly [dialect: string]: string | { readonly [language: string]: string } }
}

export type Twin = Answer & { readonly rules?: readonly StoredRule[]; readonly [language: string]: unknown }

const folder = join(import.meta.dirname, 'twins')
const pathOf = (name: string): string => join(folder, `${name}.yaml`)

export const twinNames = readdirSync(folder)
  .map((file) => file.replace(/\.yaml$/, ''))
  .toSorted()

export function readTwin(name: string): Twin {
  const twin = parse(readFileSync(pathOf(name), 'utf8')) as Twin
  return twin.query === undefined ? twin : { ...twin, query: fillIn(twin.query as Tree) }
}

/** Updates the computed parts of the file and keeps the question and its comments. */
export function writeTwin(name: string, { query, refused, sql }: Answer): void {
  const document = parseDocument(readFileSync(pathOf(name), 'utf8'))
  const answer = { query: query === undefined ? undefined : leaveOut(query as Tree), refused, sql }
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined) document.delete(key)
    else document.set(key, document.createNode(value))
  }
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type = 'BLOCK_LITERAL'
    },
    Seq: (_, node, path) => {
      node.flow = path.length > 3 && node.items.every(isScalar)
    },
    Map: (_, node, path) => {
      node.flow = path.length > 3 && JSON.stringify(node).length <= longestFlow
    },
  })
  writeFileSync(pathOf(name), document.toString({ lineWidth: 0 }))
}

/** Maximum length of a JSON map on one line. */
const longestFlow = 120

/** The neutral query: the defaults of the parts that a file omits. */
const neutral: Tree = rowsOf('', [])
const neutralPage = neutral['page'] as Tree

/** Adds omitted parts to the query and to the queries of its to-many levels. */
const fillIn = (query: Tree): Tree =>
  inQueries(query, (each) => ({ ...neutral, ...each, page: { ...neutralPage, ...(each['page'] as Tree | undefined) } }))

/** The reverse of `fillIn`. */
const leaveOut = (query: Tree): Tree =>
  inQueries(query, (each) =>
    without({ ...each, page: without(each['page'] as Tree, neutralPage) }, { ...neutral, page: {} }),
  )

const inQueries = (query: Tree, change: (each: Tree) => Tree): Tree =>
  JSON.parse(JSON.stringify({ query }), (key, value) => (key === 'query' ? change(value) : value)).query

const without = (tree: Tree, defaults: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([key, value]) => !isDeepStrictEqual(value, defaults[key])))
