/** The golden cases of `compile/golden`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Query } from '../../domain/query/query.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import type { View } from '../../domain/schema/view.ts'
import { queryOf, viewOf } from './test-query.ts'

const folder = join(import.meta.dirname, '../compile/golden')

export const goldenNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5))

/** A query and its answer in the test world. */
export type Golden = {
  readonly query: Authorized<Query>
  readonly view: View
  readonly answer: readonly unknown[]
  readonly counts: object
}

type Written = {
  readonly query: Query
  readonly computed?: 'text'
  readonly answer: readonly unknown[]
  readonly counts?: object
}

export function readGolden(name: string): Golden {
  const written = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Written
  const { query, computed, answer, counts = {} } = written
  return { query: queryOf(query), view: viewOf({}, computed), answer, counts }
}

/** The file with the statement of the query. */
export const statementPath = (name: string): string => join(folder, `${name}.sql`)
