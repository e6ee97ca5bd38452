/** Runs authorized writes: one statement each, with its activity and revisions inside. */
import type { Context } from '../domain/context.ts'
import { exactCodec } from '../domain/core-view.ts'
import { type Filter, matchAll } from '../domain/filter.ts'
import { hashText } from '../domain/hash-text.ts'
import type { Collection } from '../domain/schema.ts'
import { type Build, bind, boundValues, columnType, createBuild, fieldOf, openLevel, whereText } from './build.ts'
import { compileFilter } from './compile-filter.ts'
import type { HistoryText, WriteText } from './dialect.ts'
import { dialectOf } from './dialects.ts'

/** What a write needs of a context. */
export type WriteContext = Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'clock' | 'request' | 'onWritten'>

/** Column name → value in the form in which JSON carries it into the column. */
export type Row = { readonly [column: string]: unknown }

/** Rows of one shape: every one of them has exactly these columns. */
export type Insert = {
  readonly kind: 'insert'
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** What was changed, fit to be kept: one per row. */
  readonly deltas: readonly Row[]
}

/** The same values for all keys. `where`: the rows that may be changed. */
export type Update = {
  readonly kind: 'update'
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly keys: readonly (string | number)[]
  readonly row: Row
  readonly delta: Row
  readonly where: Filter
}

/** Own values for each row; each holds its key, which is not among the columns. */
export type UpdateEach = {
  readonly kind: 'update-each'
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly deltas: readonly Row[]
  readonly where: Filter
  /** History is written even where no column changes, because related rows do. */
  readonly touches?: boolean
}

export type Delete = {
  readonly kind: 'delete'
  readonly collection: Collection
  readonly keys: readonly (string | number)[]
  readonly where: Filter
}

export type Write = Insert | Update | UpdateEach | Delete

/** Runs one write and returns the keys of the rows that it reached, as text; of an insert in the order given. */
export async function runWrite(ctx: WriteContext, write: Write): Promise<readonly string[]> {
  const { text, name, build, template } = compiledFor(ctx, write)
  const sent: Sent = { write, ctx }
  const bindings = build.bindings.map((each) => (each.node === template ? { ...each, node: sent } : each))
  const values = boundValues({ ...build, bindings }, ctx)
  const { rows } = await ctx.db.run({ text, values, ...name, rows: 'array' })
  const keys = rows.map((row) => (row as readonly string[])[0] as string)
  const columns = write.kind === 'delete' ? [] : write.columns
  ctx.onWritten?.({ kind: write.kind, collection: write.collection.name, columns, keys })
  return keys
}

/** Whether a write leaves revisions of the rows that it reaches. */
export function leavesRevisions(ctx: WriteContext, write: Write): boolean {
  return write.kind !== 'delete' && write.collection.accountability === 'all' && leavesHistory(ctx, write)
}

/** What the parameters of a statement are read from. */
type Sent = { readonly write: Write; readonly ctx: WriteContext }

/** `template` marks the bindings that are read anew from each write; the others belong to the filter. */
type Compiled = {
  readonly text: string
  readonly name: { readonly name?: string }
  readonly build: Build
  readonly template: Sent
}

/** By the row filter, which lives as long as the rules that made it, then by shape. */
const compiled = new WeakMap<Filter, Map<string, Compiled>>()
const mostShapes = 500

/** Prepared statements stay on each connection, so only so many get a name. */
const names = new Set<string>()
const mostNames = 500

function compiledFor(ctx: WriteContext, write: Write): Compiled {
  const filter = write.kind === 'insert' ? matchAll : write.where
  let shapes = compiled.get(filter)
  if (shapes === undefined) compiled.set(filter, (shapes = new Map()))
  const shape = shapeOf(ctx, write)
  const known = shapes.get(shape)
  if (known !== undefined) return known
  if (shapes.size >= mostShapes) shapes.clear()
  const made = compile(ctx, write)
  shapes.set(shape, made)
  return made
}

function shapeOf({ db, schema, view, actor, request }: WriteContext, write: Write): string {
  const columns = write.kind === 'delete' ? [] : write.columns
  const many = write.kind === 'insert' && write.rows.length > 1
  const parts = [db.dialect, schema.version, view.name, actor.kind === 'user', write.kind, many, write.collection.name]
  const { skip = false, comment = null } = request.history ?? {}
  const touches = write.kind === 'update-each' && (write.touches ?? false)
  return JSON.stringify([...parts, skip, comment !== null, touches, columns])
}

function compile(ctx: WriteContext, write: Write): Compiled {
  const dialect = dialectOf(ctx.db)
  const build = createBuild({ schema: ctx.schema, view: ctx.view, dialect })
  const template: Sent = { write, ctx }
  const text = statementText(build, template)
  const name = `w${hashText(text)}`
  if (dialect.preparedNames && names.size < mostNames) names.add(name)
  return { text, name: names.has(name) ? { name } : {}, build, template }
}

function statementText(build: Build, sent: Sent): string {
  const { write } = sent
  const { writes, quote, castList } = build.dialect
  const level = openLevel(build, write.collection.name)
  const primaryKey = fieldOf(write.collection, write.collection.primaryKey)
  const plan = (columns: readonly string[], history: HistoryText | null): WriteText => ({
    table: qualified(build, write.collection),
    alias: level.alias,
    key: quote(primaryKey.column?.name ?? primaryKey.name),
    keyColumns: write.collection.keyColumns.map(quote),
    columns: columns.map(quote),
    history,
  })
  const bound = (read: (sent: Sent) => unknown) => bind(build, sent, read)
  const where = (filter: Filter) => whereText([compileFilter(build, level, filter)]).replace(/^ where /, ' and ')
  const keys = () =>
    castList(
      bound(({ write }) => ('keys' in write ? write.keys : [])),
      columnType(primaryKey),
    )
  const json = (name: 'row' | 'rows') => bound(({ write }) => JSON.stringify(name in write ? write[name as never] : []))
  switch (write.kind) {
    case 'insert': {
      const many = write.rows.length > 1
      const rows = write.columns.length === 0 && !many ? '' : json('rows')
      return writes.insert(plan(write.columns, historyText(build, sent)), { rows, many })
    }
    case 'update': {
      const source = { rows: json('row'), keys: keys(), where: where(write.where) }
      return writes.update(plan(write.columns, historyText(build, sent)), source)
    }
    case 'update-each': {
      const source = { rows: json('rows'), keys: null, where: where(write.where) }
      return writes.update(plan(write.columns, historyText(build, sent)), source)
    }
    case 'delete': {
      const source = { keys: keys(), where: where(write.where) }
      return writes.delete(plan([], historyText(build, sent)), source)
    }
  }
}

function qualified({ dialect }: Build, { table, name }: Collection): string {
  if (table === null) throw new Error(`Collection ${name} holds no rows`)
  return `${table.schema === null ? '' : `${dialect.quote(table.schema)}.`}${dialect.quote(table.name)}`
}

const actions = { insert: 'create', update: 'update', 'update-each': 'update', delete: 'delete' } as const

/** History is kept of what users do, as far as the collection and the client want it. */
function leavesHistory(ctx: WriteContext, write: Write): boolean {
  if (ctx.actor.kind !== 'user' || ctx.request.history?.skip === true) return false
  if (write.collection.accountability === null) return false
  if (write.kind === 'insert' || write.kind === 'delete') return true
  return write.columns.length > 0 || (write.kind === 'update-each' && (write.touches ?? false))
}

/** A deletion has no revision. */
function historyText(build: Build, sent: Sent): HistoryText | null {
  const { write, ctx } = sent
  const { accountability, name } = write.collection
  if (!leavesHistory(ctx, write)) return null
  const isCommented = typeof ctx.request.history?.comment === 'string'
  const { text } = build.dialect
  const bound = (read: (sent: Sent) => unknown) => bind(build, sent, read)
  const table = (collection: string) => qualified(build, openLevel(build, collection).collection)
  return {
    activity: table('platform_activity'),
    values: {
      action: text(actions[write.kind]),
      user: bound(({ ctx }) => (ctx.actor.kind === 'user' ? ctx.actor.user : null)),
      timestamp: bound(({ ctx }) => ctx.clock().toISOString()),
      ip: `${bound(({ ctx }) => ctx.request.ip)}::text`,
      userAgent: `${bound(({ ctx }) => ctx.request.userAgent)}::text`,
      origin: `${bound(({ ctx }) => ctx.request.origin)}::text`,
      collection: text(name),
      comment: isCommented ? `${bound(({ ctx }) => ctx.request.history?.comment ?? null)}::text` : null,
    },
    revision:
      accountability === 'activity' || write.kind === 'delete'
        ? null
        : {
            into: table('platform_revisions'),
            collection: text(name),
            delta: bound(({ write }) => deltaText(write)),
            columns: (row) => historyColumns(build, write.collection, row),
          },
  }
}

function deltaText(write: Write): string {
  switch (write.kind) {
    case 'insert':
      return JSON.stringify(write.deltas)
    case 'update':
      return JSON.stringify(write.delta)
    case 'update-each': {
      const { column, name } = fieldOf(write.collection, write.collection.primaryKey)
      const key = column?.name ?? name
      return JSON.stringify(write.deltas.map((delta, index) => ({ item: String(write.rows[index]?.[key]), delta })))
    }
    case 'delete':
      return ''
  }
}

/** The whole row as history keeps it: exact, in the forms that writing takes again, without secrets. */
function historyColumns({ dialect }: Build, collection: Collection, row: string): readonly string[] {
  return [...collection.fields.values()].flatMap((field) => {
    if (field.column === null) return []
    const expression = `${row}.${dialect.quote(field.column.name)}`
    const codec = exactCodec(field)
    return [`${dialect.codec(codec, expression, columnType(field)).sql} as ${dialect.quote(field.name)}`]
  })
}
