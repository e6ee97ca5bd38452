/**
 * `Dialect`: what a SQL vendor implements, as one object literal in `dialects/`. Capabilities are data. The functions are
 * small and pure, and turn SQL text into SQL text. Their inputs contain only quoted identifiers and placeholders, never
 * values.
 */
import type { Database } from '../../domain/ports/context.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { AggregateName, FunctionName } from '../../domain/query/functions.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import type { Codec } from '../../domain/schema/view.ts'
import type { Catalog, CatalogChanges, CatalogState } from './catalog.ts'
import type { Ddl } from './ddl-plan.ts'

/** `table` has the alias `stored`. `row` is the parameter with the JSON text. */
export type OverlayText = {
  readonly table: string
  readonly stored: string
  /** Alias of the rows with the replaced values. */
  readonly alias: string
  readonly condition: string
  readonly row: string
  readonly columns: readonly TypedColumn[]
}

/** A quoted column, its name, and its type. */
export type TypedColumn = { readonly column: string; readonly name: string; readonly type: ColumnType }

/** Rows that depend on the row around them: `table` with its joins and `where`, each empty or with its keyword. */
export type LinkedRows = {
  readonly table: string
  readonly where: string
  readonly order: readonly string[]
  readonly limit: string | null
  readonly offset: string | null
}

/** The planner's estimates for a statement; null where the vendor has none. */
export type PlanEstimate = {
  readonly cost: number | null
  readonly rows: number | null
  /** Whether the statement takes a few milliseconds at most. */
  readonly isCheap: boolean
}

export type Dialect = {
  /** Key in the table of dialects, and value of `Database.dialect`. */
  readonly name: string
  /** Throws for a server that is not served. Absent: all are. */
  readonly assertServer?: (db: Pick<Database, 'run'>) => Promise<void>
  /** Whether all statements share one session. A long transaction then blocks all other statements. */
  readonly oneSession: boolean
  /** Whether a list is read as rows of columns rather than as one text, whose length the vendor limits. */
  readonly listsAsColumns?: true
  /** Whether changes of tables are part of a transaction. */
  readonly transactionalDdl: boolean
  /** The server; `faultOf`: what is wrong with its version, null if nothing is. */
  readonly server: { readonly name: string; readonly faultOf: (version: string) => string | null }
  /** In which language the triggers of the system tables are written. */
  readonly triggers: 'plpgsql' | 'psm'
  /** Whether one statement puts a trigger in the place of another. */
  readonly replacesTriggers?: boolean
  /** Milliseconds after which replicas look for announcements by themselves; absent = the database notifies them. */
  readonly announcementInterval?: number
  /** Whether a write records its history in its own statement; else it is written by the next one. */
  readonly historyInWrite: boolean
  /** Whether statements can be prepared under a name. */
  readonly preparedNames: boolean
  /** Options after the columns of a new table, independent of the defaults of the database. */
  readonly tableOptions: string
  /** Serialises the migrations of replicas until the end of the transaction. */
  readonly migrationLock: string
  /** Ends it where a transaction does not. */
  readonly migrationUnlock?: string
  /** Reads the tables on the search path with their keys and foreign keys. */
  readonly readCatalog: (db: Database, only?: readonly string[]) => Promise<Catalog>
  /** Finds what has changed since a state, so that no more is read; then `readCatalog` reads `only` these tables and all views. */
  readonly readChanges?: (db: Database, before: CatalogState | null) => Promise<CatalogChanges>

  /** Casts a parameter for a comparison with the column. */
  readonly cast: (parameter: string, column: ColumnType) => string
  /** The same for a text of the database. One that is no value of the column is null, or refused. */
  readonly castText: (text: string, column: ColumnType) => string
  /** A column of texts of the first collation, in a form that can be compared with a column of the second. */
  readonly reconciled?: (text: string, own: string, other: string) => string
  /** The form of a column in which its place in the order of its type is compared. */
  readonly ordered: (expression: string, column: ColumnType) => string
  /** Casts a parameter for a comparison with that form. */
  readonly castOrdered: (parameter: string, column: ColumnType) => string
  /** Casts a parameter that holds a list of values for a comparison with the column. */
  readonly castList: (parameter: string, column: ColumnType) => string
  /**
   * A column as it is sorted: the expression, its exact text, and a parameter with such a text as the expression compares
   * it. `isKey`: it is sorted as it is stored.
   */
  readonly sorted: (expression: string, column: ColumnType, isKey: boolean) => SortedValue
  /** Texts, null included, as one text of digits, letters, `-` and `_`: the base64url of a JSON list. */
  readonly encoded: (texts: readonly string[]) => string
  /**
   * A query of the `with` clause whose rows are read once, whatever they are used for (`conditions/scans.ts`). Absent: lists
   * without an index are read one by one.
   */
  readonly scan?: (name: string, query: string) => string
  /** Whether an index finds the rows behind a row of values, written as a row. */
  readonly comparesRows?: true

  /** The form of a column that filters, groups and `distinct` compare: its text if the type has no equality. */
  readonly comparable: (expression: string, column: ColumnType) => string
  /** The form of a column that text operators (like, search) use. */
  readonly asText: (expression: string, column: ColumnType) => string
  /** The text of a value; null for a list without elements. */
  readonly asFilled: (expression: string, column: ColumnType) => string
  /** `left` is comparable. `right` are cast parameters, as many as the arity of the operator. */
  readonly operators: { readonly [Name in SqlOperator]: (left: string, right: string, upper: string) => string }
  /** Whether the expression equals an element of a list expression. */
  readonly isOneOf: (expression: string, list: string) => string
  /** Whether the expressions equal the elements at one position of the lists, which are of one length. */
  readonly isOneOfRows: (expressions: readonly string[], lists: readonly string[]) => string
  /** The position of the value's first occurrence in the list. The join, if any, goes after the table; its alias is free. */
  readonly positionIn: (
    expression: string,
    list: string,
    at: { readonly column: ColumnType; readonly alias: string },
  ) => { readonly sql: string; readonly join: string }
  /** The rows of a one-column select as a list expression; null if there are no rows. */
  readonly listOf: (select: string) => string
  /**
   * The elements of a list column (JSON, csv, native array), one row each; `join` goes after the tables. Any other value is
   * its only element. Null for columns of other types.
   */
  readonly elements: (expression: string, column: ColumnType) => { readonly text: string; readonly join: string } | null

  /** The value of a column in the JSON of a row, as `given` reads it back. */
  readonly storedValue: (expression: string, column: ColumnType) => Expression
  /** The wire form of a stored value. */
  readonly codec: (codec: ColumnCodec, expression: string, column: ColumnType) => Expression
  readonly functions: {
    readonly [Name in Exclude<FunctionName, 'json'>]: (expression: string, column: ColumnType) => string
  }
  /** The value at a path, which is a parameter, of a JSON value. */
  readonly jsonAt: (expression: string, column: ColumnType, path: string) => { readonly [Form in JsonForm]: string }
  readonly aggregates: { readonly [Name in AggregateName]: (expression: string, column: ColumnType) => string }
  /**
   * Converts a stored key to the type of the key that it names; SQL null if it does not fit. Null if there is no safe
   * conversion, so that texts have to be compared.
   */
  readonly keyFromText: (expression: string, column: ColumnType, key: ColumnType) => string | null

  /** The path within a JSON value as `jsonAt` takes it. Absent: the list of its steps. */
  readonly jsonPath?: (path: readonly string[]) => string
  /** A scalar subquery: the rows of `from` as a JSON array of objects; `[]` if there are none. */
  readonly jsonRows: (entries: readonly Entry[], from: string) => string
  /** A scalar subquery: the row of `from` as a JSON object; null if there is none. `from` null: no table is needed. */
  readonly jsonRow: (entries: readonly Entry[], from: string | null) => string
  /** A scalar subquery: the value in the row of `from` as JSON; null if there is no row. */
  readonly jsonValue: (entry: Expression, from: string) => string
  /** A scalar subquery: the column of `from` as a JSON array; `[]` if there are no rows. */
  readonly jsonColumn: (entry: Expression, from: string) => string
  /** The same as `jsonRows` and `jsonColumn` for a vendor that joins rows in an order without a subquery in `from`. */
  readonly linked?: {
    readonly rows: (entries: readonly Entry[], from: LinkedRows) => string
    readonly column: (entry: Expression, from: LinkedRows) => string
    /**
     * A list of the one row of aggregates, or of none, where subqueries in `from` do not see the row around them. Absent:
     * they do, and give the lists that have a limit.
     */
    readonly total?: (entries: readonly Entry[], from: string) => string
  }
  /** The complete statement of a list: one row with the JSON array as text, its length, and `extras`. */
  readonly jsonStatement: (entries: readonly Entry[], from: string, extras: readonly Entry[]) => string
  /** A hash of the expressions in their order, written in digits and lower-case letters. */
  readonly contentTag: (entries: readonly Entry[]) => string
  /** Before a statement: its plan as one JSON value in place of its rows. With `analyze` the statement is run as well. */
  readonly explain: (analyze: boolean) => string
  readonly estimateOf: (plan: unknown) => PlanEstimate
  /** The complete statement of at most one row, as JSON text. */
  readonly jsonRowStatement: (entries: readonly Entry[], from: string) => string
  /** A `from` clause: the rows that match the condition, under the alias, with columns replaced by the values of a JSON object. */
  readonly overlaid: (overlay: OverlayText) => string
  /** Rows of a parameter, a JSON list of objects from column name to value, as rows of the table under the alias. */
  readonly recordset: (of: {
    readonly table: string
    readonly alias: string
    readonly rows: string
    readonly columns: readonly TypedColumn[]
  }) => string
  /** The position of a given row in its list, from 1, as text. */
  readonly recordsetPosition: (alias: string) => string
  /** Whether the key can be a column alias. */
  readonly fitsAlias: (key: string) => boolean
  /** The expression as text: a string that still has to be quoted, or finished JSON. */
  readonly columnText: (entry: Expression) => string

  /** A subquery: the key of the first row, by `order`, of each set of rows with equal `agreed` expressions. */
  readonly firstOfEach: (key: string, agreed: readonly string[], from: string, order: readonly string[]) => string
  readonly random: string
  /** Whether a result of a group has to be written again in its order, because it cannot be computed with by its name. */
  readonly ordersByResults?: true
  /** `nulls`: their position, or that the column has none. */
  readonly orderBy: (expression: string, descending: boolean, nulls: 'first' | 'last' | 'none' | undefined) => string
  /** Whether an index gives rows in order only where there are no nulls, which have to be read apart. */
  readonly sortsNullsApart?: true
  /** Whether an index gives rows in order only where all keys have one direction; others sort the rows of equal keys. */
  readonly readsIndexOneWay?: true
  readonly page: (limit: string | null, offset: string | null) => string
  readonly writes: Writes
  readonly ddl: Ddl
}

export type SortedValue = {
  readonly sql: string
  readonly text: string
  readonly value: (parameter: string) => string
}

/** JSON; its text, null for null; its number, null for any other value; and what its order is compared by. */
export type JsonForm = 'json' | 'text' | 'number' | 'order'

/** Statements that write rows and their history, and return the keys as text. */
export type Writes = {
  /** The key of a row as text; a composite key has the form of `domain/schema/row-keys.ts`. */
  readonly keyText: (columns: readonly string[]) => string
  /** The part of a composite key at a position, from 1, as `keyFromText` of its column. */
  readonly keyPart: (text: string, position: number, key: ColumnType) => string | null
  /** `rows`: parameter with a JSON list of objects from column name to value. `many`: whether it may have several. */
  readonly insert: (plan: WriteText, source: { readonly rows: string; readonly many: boolean }) => string
  /** `match` selects the rows that the single object `rows` applies to. Null: `rows` is a list whose objects include the keys. */
  readonly update: (
    plan: WriteText,
    source: { readonly rows: string; readonly match: string | null; readonly where: string },
  ) => string
  readonly delete: (plan: WriteText, where: string) => string
  /** Writes journal entries. */
  readonly history: (entries: JournalText) => string
  /** Locks rows that match any of the conditions until the end of the transaction, in key order to prevent deadlocks. */
  readonly lock: (table: LockText) => string
  /**
   * Finds the rows of the table that agree with given ones in the columns of a unique index, and locks them until the end of
   * the transaction, in key order. Returns the positions of the given rows, from 1, and the keys of the found ones.
   */
  readonly conflicts: (
    table: Pick<LockText, 'table' | 'keys'> & { readonly columns: readonly TypedColumn[] },
    rows: string,
  ) => string
  /** A statement that fails if the types of the columns do not take the values of the object. */
  readonly fits: (table: string, row: string) => string
  /** The maximum of a number column for each parent. */
  readonly highest: (
    table: Pick<LockText, 'table'> & { readonly column: string; readonly parent: string; readonly condition: string },
  ) => string
}

/**
 * Journal entries as parameters: a list for each part, or all entries as one JSON list of objects with these parts.
 * `parent` is the position of another entry, starting at 1. A vendor calls what it needs.
 */
export type JournalText = {
  readonly lists: () => { readonly [Name in JournalPart]: string }
  readonly rows: () => string
  /** Whether any entry has a parent. */
  readonly hasParents: boolean
  readonly tables: () => HistoryTables
}

type JournalPart = 'action' | 'collection' | 'item' | 'data' | 'delta' | 'parent'

/** Quoted names. The key and the columns are returned as text. */
export type LockText = {
  readonly table: string
  readonly keys: readonly TypedColumn[]
  readonly columns: readonly string[]
  readonly conditions: readonly string[]
}

/** Quoted names: the table, its key, the columns to write, and the table alias in conditions. */
export type WriteText = {
  readonly table: string
  readonly alias: string
  /** The key column, or all key columns of a junction table, with the expressions of their defaults, if any. */
  readonly keys: readonly (TypedColumn & { readonly preset: string | null })[]
  readonly columns: readonly TypedColumn[]
  readonly history: HistoryText | null
  /** If set, each row also returns its name and its data as text, for history that is written later. */
  readonly journal: { readonly data: RowColumns | null } | null
  /** The columns of an insert with values of the client in the place of those of a sequence. */
  readonly counted: readonly CountedColumn[]
  /** If set, the statement also inserts an event for each row, with its values before and after. */
  readonly events: EventText | null
}

/**
 * Quoted names and text literals of an event. `row`: the columns that are kept; `isWhole`: all of them are.
 * `isLikeHistory`: the data of a revision restores the same row. `isTable`: its rows can be locked.
 */
export type EventText = {
  readonly events: string
  readonly action: string
  readonly collection: string
  readonly row: RowColumns
  readonly isWhole: boolean
  readonly isLikeHistory: boolean
  readonly isTable: boolean
}

/**
 * A column with a sequence: quoted, and the names of its table and itself as text literals. `bits`: the size of its
 * integers; null for those without a bound.
 */
export type CountedColumn = {
  readonly column: string
  readonly table: string
  readonly name: string
  readonly bits: number | null
}

/** The fields of the written row. */
export type RowColumns = (row: string) => readonly Entry[]

/** Tables and parameters for history. */
export type HistoryTables = {
  readonly activity: string
  readonly revisions: string
  readonly values: {
    readonly [Name in 'user' | 'timestamp' | 'ip' | 'userAgent' | 'origin' | 'comment']: string
  }
}

/** History of the rows of one write. `delta`: a list with one object per row, or one object for all rows of a write by keys. */
export type HistoryText = HistoryTables & {
  readonly action: string
  readonly collection: string
  readonly revision: { readonly delta: string; readonly columns: RowColumns } | null
}

/** Codecs that depend only on the column. The other codecs read tables, and are compiled in the same way for all vendors. */
export type ColumnCodec = Exclude<Codec, { readonly kind: 'number-of' | 'file-facts' }>

/** Type of a column: the field type and the vendor's type. */
export type ColumnType = {
  readonly type: FieldType
  readonly dataType: string
  /** Whether the shown form must be exact, because it names the row or is written back. */
  readonly isExact?: boolean
  /** The order of the type, if it is not that of its texts: that of listed words, or one that the database knows. */
  readonly order?: 'listed' | 'own'
  /**
   * The column takes texts for equal that differ in case or accents only; or its collation, if its
   * character set does not hold every text.
   */
  readonly folds?: true | string
  /** The column holds short texts: at most `shortText` characters. */
  readonly isShort?: true
  /** Precision and scale of a decimal, with a comma between them, if the column has any. */
  readonly digits?: string
}

/** Texts of so many characters are short. */
export const shortText = 255

/**
 * `text`: a string that has to be quoted in JSON. `json`: text that is already JSON (integers, JSON). `value`: only the
 * database can convert it to JSON (booleans, floats).
 */
export type Expression = {
  readonly sql: string
  readonly json: 'text' | 'json' | 'value'
  /** The value before conversion to its wire form, if the driver does the conversion (`plainTypes`). */
  readonly plain?: string
}

/** An expression and its name in the response. */
export type Entry = Expression & { readonly key: string }

/** Operators that a database evaluates on one column. Lists and operators of validation are handled elsewhere. */
export type SqlOperator = Exclude<OperatorName, 'in' | 'nin' | 'regex' | 'submitted'>
