/** State of one compilation: aliases in walk order, parameters in text order, schema, view and dialect. */

import type { Clock } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { numberedBy } from '../../domain/schema/identity.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import { type ColumnType, type Dialect, shortText, type TypedColumn } from '../dialects/dialect.ts'
import { placeholder, quoteName } from '../dialects/quoting.ts'

/** The actor and the clock, on which values of parameters may depend. */
export type Moment = { readonly actor: Actor; readonly clock: Clock }

/** The source of a parameter's value: a node of the query, or only the moment. */
export type Binding = { readonly node: object | null; readonly read: (node: never, moment: Moment) => unknown }

export type Build = {
  readonly schema: Schema
  readonly view: View
  readonly dialect: Dialect
  readonly bindings: Binding[]
  /** The collections whose tables have been named, one entry per time. */
  readonly tables: string[]
  /** The queries of the `with` clause; see `scans.ts`. */
  readonly scans: { readonly name: string; readonly text: () => string }[]
  aliases: number
}

/** Rows of a collection under an alias. */
export type Level = {
  readonly collection: Collection
  readonly alias: string
  /** Collects the columns that an outer level needs. */
  readonly columns?: Set<string>
  /** The scan that the rows are read from in place of their table (`scans.ts`). */
  readonly scan?: string
  /** The rows of the level for all rows around it, if lists are to be read from scans. */
  readonly all?: () => RowsOfAll
}

/** Rows as `from` names them, under the alias of the level. */
export type RowsOfAll = { readonly level: Level; readonly from: string }

/** Starts a compilation. */
export function createBuild(at: Pick<Build, 'schema' | 'view' | 'dialect'>): Build {
  return { schema: at.schema, view: at.view, dialect: at.dialect, bindings: [], tables: [], scans: [], aliases: 0 }
}

/** Adds a parameter whose value is read from `node` at each execution. */
export function bind<Node extends object>(
  build: Build,
  node: Node,
  read: (node: Node, moment: Moment) => unknown,
): string {
  build.bindings.push({ node, read })
  return placeholder(build.bindings.length)
}

/** Adds a parameter whose value depends only on the moment. */
export function bindMoment(build: Build, read: (moment: Moment) => unknown): string {
  build.bindings.push({ node: null, read: (_node, moment) => read(moment) })
  return placeholder(build.bindings.length)
}

/** The parameter values of a statement that is executed once, right after compilation. */
export function boundValues(build: Build, moment: Moment): unknown[] {
  return build.bindings.map(({ node, read }) => read(node as never, moment))
}

/** Limit of tables in one statement, because planning time grows faster than linearly. */
const mostLevels = 3000

export function openLevel(build: Build, collection: string): Level {
  if (build.aliases >= mostLevels) {
    const reason = `Expected at most ${mostLevels} relations in one query but received more`
    throw new TandemError({ kind: 'invalid-query', name: 'query', reason })
  }
  return { collection: collectionOf(build.schema, collection), alias: `t${build.aliases++}` }
}

/** The collection with that name. A missing one is a bug of the parser or of authorize. */
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

/**
 * A field's column, qualified by the level's alias; of a foreign key of several columns the key as one text, and of a
 * column with numbers the key of the row that has the number.
 */
export function columnText(build: Build, level: Level, field: Field): string {
  const columns = referenceColumns(field)
  if (columns !== null) return textOfColumns(build, level, columns)
  const identity = numberedBy(field)
  const stored = storedText(level, field)
  return identity === null ? stored : numberedKeyText(build, stored, identity)
}

export function storedText(level: Level, field: Field): string {
  if (field.column === null) throw new Error(`Field ${level.collection.name}.${field.name} has no column`)
  level.columns?.add(field.column.name)
  return `${level.alias}.${quoteName(field.column.name)}`
}

/** The key of the row in `collection` with this number. */
export function numberedKeyText(build: Build, number: string, collection: string): string {
  const target = openLevel(build, collection)
  const column = columnText(build, target, fieldOf(target.collection, 'number'))
  return `(select ${keyText(build, target)} from ${tableText(build, target)}${whereText([`${column} = ${number}`])})`
}

export function keyText(build: Build, level: Level): string {
  return columnText(build, level, fieldOf(level.collection, level.collection.primaryKey))
}

/** The key of the level's rows as one text. */
export function rowKeyText(build: Build, level: Level): string {
  return textOfColumns(build, level, level.collection.keyColumns)
}

function textOfColumns(build: Build, level: Level, names: readonly string[]): string {
  return build.dialect.writes.keyText(names.map((name) => columnText(build, level, fieldOf(level.collection, name))))
}

export function tableName({ table, name }: Collection): string {
  if (table === null) throw new Error(`Collection ${name} has no table`)
  return `${table.schema === null ? '' : `${quoteName(table.schema)}.`}${quoteName(table.name)}`
}

export function tableText(build: Build, level: Level): string {
  if (level.scan !== undefined) return `${level.scan} ${level.alias}`
  build.tables.push(level.collection.name)
  return `${tableName(level.collection)} ${level.alias}`
}

/** Compares with one value by `=`, and with many by a list: the plan of `=` can be reused for all values. */
export function amongText(
  dialect: Dialect,
  expression: string,
  { values, many, column }: { readonly values: string; readonly many: boolean; readonly column: ColumnType },
): string {
  if (many) return dialect.isOneOf(expression, dialect.castList(values, column))
  return `${expression} = ${dialect.cast(values, column)}`
}

export function columnType(field: Field): ColumnType {
  const { type, column } = field
  if (numberedBy(field) !== null) return keyType
  if (referenceColumns(field) !== null) return textType
  const dataType = column?.dataType ?? ''
  const short = column?.maxLength != null && column.maxLength <= shortText ? ({ isShort: true } as const) : {}
  if (column?.folds !== undefined) return { type, dataType, folds: column.folds, ...short }
  if (column?.ordered !== true) return { type, dataType, ...short }
  return { type, dataType, order: column.values === undefined ? 'own' : 'listed' }
}

export const storedType = (field: Field): ColumnType =>
  numberedBy(field) === null ? columnType(field) : { type: 'integer', dataType: field.column?.dataType ?? '' }

/** The type of keys of identity collections. */
const keyType: ColumnType = { type: 'uuid', dataType: 'uuid' }

/** The type of computed numbers: functions and counts. */
export const integerType: ColumnType = { type: 'integer', dataType: 'integer' }

/** The type of numbers in JSON. */
export const decimalType: ColumnType = { type: 'decimal', dataType: 'numeric' }

/** The type of texts that come from no column, such as patterns. */
export const textType: ColumnType = { type: 'text', dataType: 'text' }

/** `where` and the conditions joined by `and`; empty if there are none. */
export function whereText(conditions: readonly string[]): string {
  const names = conditions.filter((condition) => condition !== 'true')
  return names.length === 0 ? '' : ` where ${names.join(' and ')}`
}

export function typedColumn(collection: Collection, name: string): TypedColumn {
  const field = [...collection.fields.values()].find(({ column }) => column?.name === name)
  if (field === undefined) throw new Error(`Collection ${collection.name} has no column ${name}`)
  return { column: quoteName(name), name, type: storedType(field) }
}
