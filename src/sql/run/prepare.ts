/** Prepares the statement of an authorized query: it is compiled once per shape, and then filled with values. */

import { LRUCache } from 'lru-cache'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import { type Mode, modeOf, type RowForm, type TextColumn } from '../compile/columns.ts'
import { compileFiltered, compileQuery, type Quick, quickOf } from '../compile/compile-query.ts'
import { type Binding, boundValues, createBuild, type Moment } from '../conditions/build.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { readName } from '../shapes/names.ts'
import { shapeOf } from '../shapes/shape.ts'
import type { Shape } from '../shapes/shape-filter.ts'

/** A cached compilation. */
export type Prepared = {
  readonly text: string
  readonly rows: RowForm
  /** The collections that it reads, one entry per table; null where a view or the like hides them. */
  readonly reads: readonly string[] | null
  readonly quick: Quick
  readonly parameters: readonly { readonly slot: number; readonly read: Binding['read'] }[]
  /** Absent until the text is requested a second time. */
  name?: string
  uses: number
}

export type PrepareOptions = Moment & { readonly schema: Schema; readonly view: View; readonly dialect: string }

export function prepare(
  query: Authorized<Query>,
  options: PrepareOptions,
): { readonly statement: Prepared; readonly values: readonly unknown[] } {
  const { schema, view, dialect } = options
  const shape = shapeOf(query, `${dialect}\0${view.name}\0`)
  const cache = cacheOf(schema)
  let statement = cache.get(shape.key)
  if (statement === undefined)
    cache.set(shape.key, (statement = compile(query, options, modeOf(query, schema, view, dialectOf(options)))))
  if (statement.name === undefined) nameIfRepeated(statement, options)
  return { statement, values: valuesOf(statement, shape, options) }
}

/** The same for a cursor. Rows always come as columns, and the statement is not cached. */
export function prepareEach(
  query: Authorized<Query>,
  options: PrepareOptions,
): { readonly text: string; readonly columns: readonly TextColumn[]; readonly values: readonly unknown[] } {
  const statement = compile(query, options, 'each')
  const { text, rows } = statement
  if (rows.kind !== 'texts') throw new Error('The rows of a cursor must come as texts')
  return { text, columns: rows.columns, values: valuesOf(statement, shapeOf(query, ''), options) }
}

/** The rows that the query counts as `filtered`, for the planner alone. */
export function prepareFiltered(
  query: Authorized<Query>,
  options: PrepareOptions,
): { readonly text: string; readonly values: readonly unknown[] } {
  const build = createBuild({ ...options, dialect: dialectOf(options) })
  const text = compileFiltered(build, query)
  return { text, values: boundValues(build, options) }
}

const valuesOf = ({ parameters }: Prepared, { nodes }: Shape, moment: Moment): readonly unknown[] =>
  parameters.map(({ slot, read }) => read(nodes[slot] as never, moment))

/** Compiles a copy in which each node occurs once, so that each parameter belongs to one position. */
function compile(query: Query, options: PrepareOptions, mode: Mode): Prepared {
  const own = unshared(query)
  const build = createBuild({ ...options, dialect: dialectOf(options) })
  const { text, rows } = compileQuery(build, own, mode)
  const slots = slotsOf(shapeOf(own, ''))
  const parameters = build.bindings.map(({ node, read }) => ({ slot: node === null ? -1 : slotOf(slots, node), read }))
  const reads =
    build.tables.every((name) => isPlain(options.schema, name)) && own.overlay === undefined ? build.tables : null
  const collection = options.schema.collections.get(own.collection)
  const quick = reads === null || collection === undefined ? null : quickOf(own, collection)
  return { text, rows, reads, quick, parameters, uses: 0 }
}

const isPlain = ({ collections }: Schema, name: string): boolean => {
  const table = collections.get(name)?.table ?? null
  return table !== null && table.kind === undefined
}

const slotsOf = (shape: Shape): ReadonlyMap<object, number> => new Map(shape.nodes.map((node, slot) => [node, slot]))

function slotOf(slots: ReadonlyMap<object, number>, node: object): number {
  const slot = slots.get(node)
  if (slot === undefined) throw new Error('The shape of a query must hold every node that has values')
  return slot
}

function unshared<T>(value: T): T {
  if (Array.isArray(value)) return value.map(unshared) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unshared(inner)])) as T
}

/** Per schema; each version is an object of its own. */
const cacheOf = memoizeBy<Schema, LRUCache<string, Prepared>>(() => new LRUCache({ max: maxCachedStatements }))
const maxCachedStatements = 2000

/** A statement gets a name only at its second use. */
const usesBeforeName = 2

function nameIfRepeated(statement: Prepared, options: PrepareOptions): void {
  statement.uses += 1
  if (statement.uses > usesBeforeName) Object.assign(statement, readName(dialectOf(options), statement.text))
}
