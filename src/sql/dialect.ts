/**
 * `Dialect`: what a SQL vendor fills, one object literal per vendor in `dialects/`. Capabilities are
 * data; the functions are small, pure and turn SQL text into SQL text. Text that reaches them is made
 * of quoted identifiers and placeholders only, never of values.
 */
import type { Database } from '../domain/context.ts'
import type { FieldType } from '../domain/field-types.ts'
import type { AggregateName, FunctionName } from '../domain/functions.ts'
import type { OperatorName } from '../domain/operators.ts'
import type { Codec } from '../domain/view.ts'
import type { Catalog } from './catalog.ts'
import type { Ddl } from './ddl-plan.ts'

/** `table` with its alias `stored`; `row` is the parameter with the JSON text. */
export type OverlayText = {
  readonly table: string
  readonly stored: string
  /** Of the rows with the values in them. */
  readonly alias: string
  readonly condition: string
  readonly row: string
}

export type Dialect = {
  /** Key in the table of dialects and value of `Database.dialect`. */
  readonly name: string
  /** `insert/update/delete … returning`. */
  readonly supportsReturning: boolean
  /** DDL rolls back with its transaction. */
  readonly transactionalDdl: boolean
  /** `notify` and `listen` reach the other replicas. */
  readonly notify: boolean
  /** All statements share one session, which a long transaction would keep from everybody else. */
  readonly oneSession: boolean
  /** Statements may be prepared under a name. */
  readonly preparedNames: boolean
  /** The query builder's own name of the vendor, for the text of migrations. */
  readonly knexClient: 'pg'
  /** Makes replicas that migrate at the same time take turns, until the end of the transaction. */
  readonly migrationLock: string
  /** The tables of the search path, their keys and foreign keys. */
  readonly readCatalog: (db: Database) => Promise<Catalog>

  /** A quoted identifier. Throws `invalid-query` for text that no identifier can hold. */
  readonly quote: (identifier: string) => string
  /** A quoted text literal, for names out of Schema and words out of views; never for values. */
  readonly text: (constant: string) => string
  /** The parameter at this position; the first is 1. */
  readonly placeholder: (position: number) => string
  /** A parameter that is to be compared with a column like this one. */
  readonly cast: (parameter: string, column: ColumnType) => string
  /** One parameter that holds a list of such values. */
  readonly castList: (parameter: string, column: ColumnType) => string

  /** What filters, groups and `distinct` compare: the column itself, or its text where it cannot be compared. */
  readonly comparable: (expression: string, column: ColumnType) => string
  /** What text operators (like, empty, search) look at. */
  readonly asText: (expression: string, column: ColumnType) => string
  /** `left` is comparable, `right` are cast parameters, as many as the operator's arity. */
  readonly operators: { readonly [Name in SqlOperator]: (left: string, right: string, upper: string) => string }
  /** The expression equals one of the elements of a list expression. */
  readonly isOneOf: (expression: string, list: string) => string
  /** The rows of a one-column select as a list expression; no rows are an unknown list, not an empty one. */
  readonly listOf: (select: string) => string
  /** The elements of a column that holds lists (JSON, csv, one of the database's own), a row for each; any other value is the only one. */
  readonly elements: (expression: string, column: ColumnType) => string
  /** Wraps a search word in wildcards after escaping its own. */
  readonly pattern: (kind: PatternKind, value: string) => string

  /** The wire form of a stored value. */
  readonly codec: (codec: ColumnCodec, expression: string, column: ColumnType) => Expression
  readonly functions: { readonly [Name in FunctionName]: (expression: string, column: ColumnType) => string }
  readonly aggregates: { readonly [Name in AggregateName]: (expression: string, column: ColumnType) => string }
  /** Text that names a row of a many-to-any, as a key of this type; null where it cannot be one. */
  readonly keyFromText: (expression: string, column: ColumnType, key: ColumnType) => string

  /** A scalar subquery: the rows of `from` as a JSON array of objects, `[]` when there are none. */
  readonly jsonRows: (entries: readonly Entry[], from: string) => string
  /** A scalar subquery: the one row of `from` as a JSON object, null when there is none. Null = no table is needed. */
  readonly jsonRow: (entries: readonly Entry[], from: string | null) => string
  /** A scalar subquery: the one column of `from` as a JSON array, `[]` when there are no rows. */
  readonly jsonColumn: (entry: Expression, from: string) => string
  /** The whole statement: one row with the JSON array as text, the number of its rows, and `extras`. */
  readonly jsonStatement: (entries: readonly Entry[], from: string, extras: readonly Entry[]) => string
  /** The whole statement: the same of at most one row; no row at all when there is none. */
  readonly jsonRowStatement: (entries: readonly Entry[], from: string) => string
  /** A `from`: the stored rows that meet the condition, under the alias, with the values of a JSON object in their columns. */
  readonly overlaid: (overlay: OverlayText) => string
  /** The whole statement: a column per entry, under its key. */
  readonly columnStatement: (entries: readonly Pick<Entry, 'key' | 'sql'>[], from: string) => string
  /** Whether a column can have that name. */
  readonly fitsAlias: (key: string) => boolean
  /** An expression as the text of a string (to be quoted) or of finished JSON. */
  readonly columnText: (entry: Expression) => string

  /** A subquery: the key of the first row, by `order`, of those of `from` that agree in all `agreed` expressions. */
  readonly firstOfEach: (key: string, agreed: readonly string[], from: string, order: readonly string[]) => string
  readonly random: string
  readonly orderBy: (expression: string, descending: boolean, nulls: 'first' | 'last' | undefined) => string
  readonly page: (limit: string | null, offset: string | null) => string
  readonly writes: Writes
  readonly ddl: Ddl
}

/** Statements that change rows, write the history of it, and return the keys as text. */
export type Writes = {
  /** The key of a row as text, of several columns as `domain/row-keys.ts` writes it. */
  readonly keyText: (columns: readonly string[]) => string
  /** `rows`: a list of objects, column name to value. `many`: may be more than one. */
  readonly insert: (plan: WriteText, source: { readonly rows: string; readonly many: boolean }) => string
  /** `match` tells which rows `rows`, one object, is for; null: it is a list whose objects hold the key too. */
  readonly update: (
    plan: WriteText,
    source: { readonly rows: string; readonly match: string | null; readonly where: string },
  ) => string
  readonly delete: (plan: WriteText, where: string) => string
  /** History of several writes: a list each of what the entries of a journal hold; `parent` is the place of another entry, from 1. */
  readonly history: (
    lists: { readonly [Name in 'action' | 'collection' | 'item' | 'data' | 'delta' | 'parent']: string },
    place: HistoryPlace,
  ) => string
  /** Locks rows that meet any of the conditions until the end of the transaction, in the order of their keys. */
  readonly lock: (table: LockText) => string
  /** The highest number of a column for each of the parents. */
  readonly highest: (
    table: Pick<LockText, 'table'> & { readonly column: string; readonly parent: string; readonly condition: string },
  ) => string
}

/** Quoted names; the key and the columns come back as text. */
export type LockText = {
  readonly table: string
  readonly keyColumns: readonly string[]
  readonly columns: readonly string[]
  readonly conditions: readonly string[]
}

/** Quoted names: the table, its key, the columns to be written, and the alias under which conditions know the table. */
export type WriteText = {
  readonly table: string
  readonly alias: string
  /** The key alone, or all columns of the key of a junction table. */
  readonly keyColumns: readonly string[]
  readonly columns: readonly string[]
  readonly history: HistoryText | null
  /** Beside its key, a row answers with its name and its data as text, for history to be written later. */
  readonly journal: { readonly data: RowColumns | null } | null
}

/** The fields of the written row, `expression as name`. */
type RowColumns = (row: string) => readonly string[]

/** Tables and parameters of history. */
export type HistoryPlace = {
  readonly activity: string
  readonly revisions: string
  readonly values: {
    readonly [Name in 'user' | 'timestamp' | 'ip' | 'userAgent' | 'origin' | 'comment']: string
  }
}

/** History of the rows of one write. `delta` holds a list, one object per row, or (for many keys) one object. */
export type HistoryText = HistoryPlace & {
  readonly action: string
  readonly collection: string
  readonly revision: { readonly delta: string; readonly columns: RowColumns } | null
}

/** Codecs that need nothing but the column; the others look into tables and are compiled for all vendors alike. */
export type ColumnCodec = Exclude<Codec, { readonly kind: 'number-of' | 'file-facts' }>

/** What a column is, to the neutral language and to the vendor. */
export type ColumnType = {
  readonly type: FieldType
  readonly dataType: string
  /** The shown form has to be the whole value, because it names a row. */
  readonly isExact?: boolean
}

/**
 * `text`: a string, to be quoted in JSON. `json`: its text is JSON as it stands (integers, JSON).
 * `value`: becomes JSON by the database's own conversion alone (booleans, floats).
 */
export type Expression = {
  readonly sql: string
  readonly json: 'text' | 'json' | 'value'
  /** The value before it takes its wire form, where the driver makes that form of it (`plainTypes`). */
  readonly plain?: string
}

/** An expression under the name that it has in the answer. */
export type Entry = Expression & { readonly key: string }

/** Operators that a database evaluates on one column; lists and validation rules are elsewhere. */
export type SqlOperator = Exclude<OperatorName, 'in' | 'nin' | 'regex' | 'submitted'>

/** Where the wildcards go: around a substring, after a prefix, before a suffix, or where the value has them. */
export type PatternKind = 'contains' | 'startsWith' | 'endsWith' | 'like'
