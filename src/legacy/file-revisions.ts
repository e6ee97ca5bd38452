/** Earlier states of a file: rows of the history, in the names and forms of this generation. */
import { findReadGrant } from '../authz/grants.ts'
import { filesCollection } from '../core/guard-files.ts'
import { readItems } from '../core/items.ts'
import { revertItem } from '../core/revisions.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { and, type Filter } from '../domain/filter.ts'
import type { Key } from '../domain/mutation.ts'
import type { Query } from '../domain/query.ts'
import type { Codec } from '../domain/view.ts'
import { jsonOf } from '../sql/read.ts'
import { fileIdOfNumber } from './identity.ts'
import { refuseQuery } from './lists.ts'
import { type Parameters, parseQuery, type Read } from './query.ts'
import type { Rows } from './serialize.ts'

const revisions = 'platform_revisions'

/** The revisions of a file that the caller may read, and how they are asked for. */
export type Asked = { readonly id: string; readonly parameters: Parameters }

/** All of them, as the parameters of lists say; the first is the creation. */
export async function readRevisions(ctx: Context, { id, parameters }: Asked): Promise<{ read: Read; rows: Rows }> {
  const file = await fileIdOfNumber(ctx, id)
  const asked = parseQuery(parameters, revisions, ctx)
  const read: Read = { ...asked, query: within(asked.query, file) }
  return { read, rows: await readOf(ctx, read.query, { file, number: Number(id) }) }
}

/** The one at that place: 0 is the creation, -1 the one before the newest. */
export async function readRevision(
  ctx: Context,
  { id, parameters, offset }: Asked & { readonly offset: string },
): Promise<{ read: Read; rows: Rows }> {
  const file = await fileIdOfNumber(ctx, id)
  if (!/^-?\d{1,9}$/.test(offset)) return refuseQuery('offset', 'a whole number', offset)
  const place = Number(offset)
  const asked = parseQuery(parameters, revisions, ctx)
  const query: Query = {
    ...within(asked.query, file),
    sort: [{ kind: 'field', path: [], field: 'id', descending: place < 0 }],
    page: { limit: 1, offset: Math.abs(place) },
  }
  const read: Read = { ...asked, query, single: true }
  return { read, rows: await readOf(ctx, query, { file, number: Number(id) }) }
}

/** Gives the file the fields back that it had at that revision; contents and their facts stay. */
export async function revertFile(ctx: Context, id: string, revision: string): Promise<readonly Key[]> {
  const file = await fileIdOfNumber(ctx, id)
  const asked = parseQuery({ fields: 'id', limit: '1' }, revisions, ctx)
  const found = /^\d{1,9}$/.test(revision)
    ? await readItems(ctx, { ...asked.query, filter: and(ofFile(file), is('id', Number(revision))) })
    : null
  if (found === null || found.rowCount === 0) throw new TandemError({ kind: 'item-not-found', collection: revisions })
  await revertItem(ctx, Number(revision))
  return [file]
}

const is = (field: string, value: string | number): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator: 'eq',
  values: [value],
})

const ofFile = (file: string): Filter => and(is('collection', filesCollection), is('item', file))

const within = (query: Query, file: string): Query => ({ ...query, filter: and(query.filter, ofFile(file)) })

type Row = { readonly [name: string]: unknown }
type Named = { readonly file: string; readonly number: number }

async function readOf(ctx: Context, query: Query, named: Named): Promise<Rows> {
  const found = await readItems(ctx, query)
  const rows = JSON.parse(jsonOf(found)) as readonly Row[]
  const numbers = await readNumbers(ctx, rows)
  const shown = rows.map((row) => ({
    ...row,
    ...('item' in row ? { item: String(named.number) } : {}),
    ...('data' in row ? { data: toShown(ctx, row['data'], numbers) } : {}),
    ...('delta' in row ? { delta: toShown(ctx, row['delta'], numbers) } : {}),
  }))
  return { ...found, pieces: [JSON.stringify(shown)] }
}

/** Fields that the caller may read, under their names here, with integers for the rows that they lead to. */
function toShown(ctx: Context, stored: unknown, numbers: ReadonlyMap<string, number>): Row | null {
  if (typeof stored !== 'object' || stored === null) return null
  const grant = findReadGrant(ctx.actor, ctx.schema, filesCollection)
  const fields = [...(ctx.view.byCore.get(filesCollection)?.fields.values() ?? [])]
  const shown = fields.flatMap(({ name, field, codec }): [string, unknown][] => {
    if (codec.kind === 'file-facts' || !Object.hasOwn(stored, field) || grant?.fields.get(field)?.guard !== null)
      return []
    return [[name, toForm((stored as Row)[field], codec, numbers)]]
  })
  return Object.fromEntries(shown)
}

/** History is kept in exact forms; here are those of this generation. */
function toForm(value: unknown, { kind }: Codec, numbers: ReadonlyMap<string, number>): unknown {
  if (typeof value !== 'string') return value
  if (kind === 'number-of') return numbers.get(value) ?? null
  if (kind === 'number') return Number(value)
  return kind === 'offset-datetime' ? value.replace(/(\.\d+)?Z$/, '+00:00') : value
}

/** The integers of the users and folders in the rows. */
async function readNumbers({ db }: Context, rows: readonly Row[]): Promise<ReadonlyMap<string, number>> {
  const keys = rows.flatMap(({ data, delta }) =>
    [data, delta].flatMap((each) => {
      const { folder, uploaded_by: user } = (each ?? {}) as Row
      return [folder, user].filter((key) => typeof key === 'string')
    }),
  )
  const text = `select id::text as id, number from platform_folders where id::text = any($1)
    union all select id::text, number from platform_users where id::text = any($1)`
  const found = (await db.run({ text, values: [keys] })).rows as readonly {
    readonly id: string
    readonly number: number
  }[]
  return new Map(found.map((row) => [row.id, row.number]))
}
