/** One run of the compiler: aliases in walk order, parameters in text order, and what it compiles against. */

import type { Actor } from '../domain/actor.ts'
import type { Clock } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Collection, Field, Schema } from '../domain/schema.ts'
import type { View } from '../domain/view.ts'
import type { ColumnType, Dialect } from './dialect.ts'

/** What values are resolved against when a statement is sent. */
export type Moment = { readonly actor: Actor; readonly clock: Clock }

/** Where a parameter's value comes from: a node of the query and how to read it there, or the moment alone. */
export type Binding = { readonly node: object | null; readonly read: (node: never, moment: Moment) => unknown }

export type Build = {
  readonly schema: Schema
  readonly view: View
  readonly dialect: Dialect
  readonly bindings: Binding[]
  aliases: number
}

/** A collection's rows under an alias. `columns` collects what an outer level needs of an inner one. */
export type Level = { readonly collection: Collection; readonly alias: string; readonly columns?: Set<string> }

/** A new run. */
export function createBuild(at: Pick<Build, 'schema' | 'view' | 'dialect'>): Build {
  return { schema: at.schema, view: at.view, dialect: at.dialect, bindings: [], aliases: 0 }
}

/** A parameter whose value is read from `node` whenever the statement is sent. */
export function bind<Node extends object>(
  build: Build,
  node: Node,
  read: (node: Node, moment: Moment) => unknown,
): string {
  build.bindings.push({ node, read })
  return build.dialect.placeholder(build.bindings.length)
}

/** A parameter whose value does not hang on the query. */
export function bindMoment(build: Build, read: (moment: Moment) => unknown): string {
  build.bindings.push({ node: null, read: (_node, moment) => read(moment) })
  return build.dialect.placeholder(build.bindings.length)
}

/** The values of a statement that is sent once, right after it was compiled. */
export function boundValues(build: Build, moment: Moment): unknown[] {
  return build.bindings.map(({ node, read }) => read(node as never, moment))
}

/** Tables in one statement at most: databases plan longer than linearly. */
const mostLevels = 3000

/** The next alias for rows of a collection. */
export function openLevel(build: Build, collection: string): Level {
  if (build.aliases >= mostLevels) {
    const reason = `Expected at most ${mostLevels} relations in one query but received more`
    throw new TandemError({ kind: 'invalid-query', name: 'query', reason })
  }
  return { collection: collectionOf(build.schema, collection), alias: `t${build.aliases++}` }
}

/** The collection of that name; a name that the schema lacks is a bug of whoever parsed or authorized. */
export function collectionOf(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw new Error(`No collection is named ${name}`)
  return collection
}

/** The field of that name; as with collections. */
export function fieldOf(collection: Collection, name: string): Field {
  const field = collection.fields.get(name)
  if (field === undefined) throw new Error(`Collection ${collection.name} has no field ${name}`)
  return field
}

/** A field's column, qualified by the level's alias. */
export function columnText(build: Build, level: Level, field: Field): string {
  if (field.column === null) throw new Error(`Field ${level.collection.name}.${field.name} has no column`)
  level.columns?.add(field.column.name)
  return `${level.alias}.${build.dialect.quote(field.column.name)}`
}

/** The column of the level's primary key. */
export function keyText(build: Build, level: Level): string {
  return columnText(build, level, fieldOf(level.collection, level.collection.primaryKey))
}

/** The collection's table. */
export function tableName({ dialect }: Pick<Build, 'dialect'>, { table, name }: Collection): string {
  if (table === null) throw new Error(`Collection ${name} holds no rows`)
  return `${table.schema === null ? '' : `${dialect.quote(table.schema)}.`}${dialect.quote(table.name)}`
}

/** The table of the level with its alias. */
export function tableText(build: Build, level: Level): string {
  return `${tableName(build, level.collection)} ${level.alias}`
}

/** Compares with one value or with a list of `many`: databases plan the one once for all values, the other each time. */
export function amongText(
  { dialect }: Pick<Build, 'dialect'>,
  expression: string,
  { values, many, column }: { readonly values: string; readonly many: boolean; readonly column: ColumnType },
): string {
  if (many) return dialect.isOneOf(expression, dialect.castList(values, column))
  return `${expression} = ${dialect.cast(values, column)}`
}

/** What the dialect has to know of a column. */
export function columnType(field: Field): ColumnType {
  return { type: field.type, dataType: field.column?.dataType ?? '' }
}

/** Computed numbers: functions and counts. */
export const integerType: ColumnType = { type: 'integer', dataType: 'integer' }

/** Text that no column holds: patterns. */
export const textType: ColumnType = { type: 'text', dataType: 'text' }

/** `where` and conditions joined by `and`; nothing when there are none. */
export function whereText(conditions: readonly string[]): string {
  const kept = conditions.filter((condition) => condition !== 'true')
  return kept.length === 0 ? '' : ` where ${kept.join(' and ')}`
}
