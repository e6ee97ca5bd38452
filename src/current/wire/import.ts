/** `/utils/import`: the file of a form → items. */

import { isUnlimited } from '../../authz/grants.ts'
import { commentsCollection } from '../../core/guards/guard-comments.ts'
import { writeComments } from '../../core/history/mentions.ts'
import { type ImportReport, type ReceivedItems, receiveItems } from '../../core/items/import-items.ts'
import { writeItems } from '../../core/items/items.ts'
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Context, QueryContext } from '../../domain/ports/context.ts'
import type { Incoming, Part } from '../../domain/ports/uploads.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { firstRepeated } from '../../domain/schema/repeated.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { FileFault } from '../../exchange/file-text.ts'
import type { ReadableFormat, ReadRow } from '../../exchange/read-rows.ts'
import { type OpenedCollection, openCollection, openSystemCollection } from './collections.ts'
import { toErrorBody } from './errors.ts'
import { parseChanges } from './mutation.ts'

/** System collections whose rows can be imported without side effects. */
export const importable: ReadonlySet<string> = new Set([
  'platform_users',
  'platform_roles',
  'platform_policies',
  'platform_access',
  'platform_permissions',
  'platform_folders',
  'platform_presets',
  commentsCollection,
  'platform_notifications',
  'platform_dashboards',
  'platform_panels',
  'platform_translations',
  'platform_versions',
  'platform_shares',
])

/** Opens the target collection; system collections only for administrators. */
export function openImport(ctx: QueryContext, name: string): OpenedCollection {
  if (isUnlimited(ctx.actor) && importable.has(name)) return openSystemCollection(ctx, name, 'update')
  openCollection(ctx, name, 'create')
  return openCollection(ctx, name, 'update')
}

/** Receives the only file of a form, and the fields of its columns before it; other values are ignored. */
export async function receiveFile(
  ctx: Pick<Context, 'actor' | 'server'>,
  parts: AsyncIterable<Part>,
  opened: OpenedCollection,
): Promise<ReceivedItems> {
  let received: ReceivedItems | null = null
  let columns: Columns = new Map()
  try {
    for await (const part of parts) {
      const isColumns = part.name === 'columns'
      if (!isColumns && part.kind !== 'file') continue
      if (received !== null)
        throw isColumns
          ? invalidPayload('columns', 'Expected "columns" before the file')
          : invalidPayload('file', 'Only one file is allowed')
      if (part.kind === 'value' || isColumns) columns = parseColumns(part)
      else received = await receiveRows(ctx, part, { opened, columns })
    }
  } catch (error) {
    await received?.end(false)
    throw error
  }
  if (received === null) throw invalidPayload('file', 'Expected a file but received none')
  return received
}

type Target = { readonly opened: OpenedCollection; readonly columns: Columns }

function receiveRows(
  ctx: Pick<Context, 'actor' | 'server'>,
  part: Incoming,
  { opened, columns }: Target,
): Promise<ReceivedItems> {
  const format = formatOf(part)
  const toItem = format === 'csv' ? (row: ReadRow) => fromCells(row, opened) : (row: ReadRow) => row
  const { collection } = opened
  const parse = (row: ReadRow) => parseChanges(toItem(renamed(row, columns)), opened)
  const write = collection.name === commentsCollection ? writeComments : writeItems
  return receiveItems(ctx, { stream: part.stream, format }, { collection, parse, write })
}

/** Name of a column in the file → name of the field; null for a column that is left out. */
type Columns = ReadonlyMap<string, string | null>

function parseColumns(part: Part): Columns {
  const expected = 'Expected a JSON object from columns of the file to fields or null for "columns"'
  if (part.kind === 'file') throw invalidPayload('columns', `${expected} but received a file`)
  const value = parseObject(part.value, expected)
  const entries = Object.entries(value).map(([column, field]) => {
    if (field !== null && typeof field !== 'string')
      throw invalidPayload('columns', `${expected} but "${column}" is not`)
    return [column, field] as const
  })
  const fields = entries.flatMap(([, field]) => field ?? [])
  const twice = firstRepeated(fields)
  if (twice !== undefined) throw invalidPayload('columns', `Expected each field once but received "${twice}" twice`)
  return new Map(entries)
}

function parseObject(text: string, expected: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw invalidPayload('columns', `${expected} but received ${JSON.stringify(text.slice(0, 100))}`)
}

/** The row by the names of fields. A column without an entry keeps its name. */
function renamed(row: ReadRow, columns: Columns): ReadRow {
  if (columns.size === 0) return row
  const entries = Object.entries(row).flatMap(([column, value]) => {
    const field = columns.has(column) ? columns.get(column) : column
    return field == null ? [] : [[field, value] as const]
  })
  const twice = firstRepeated(entries.map(([field]) => field))
  if (twice !== undefined) throw invalidPayload(twice, 'Expected one column of the file for each field')
  return Object.fromEntries(entries)
}

type ErrorObject = { readonly [name: string]: unknown }

/** The report as it is answered. */
export const toReport = (applied: boolean, { rows, ...counts }: ImportReport) => ({
  applied,
  ...counts,
  rows: rows.map(({ row, ...fate }) =>
    fate.action === 'refuse' ? { row, action: fate.action, errors: errorsOf(fate.error) } : { row, ...fate },
  ),
})

const errorsOf = (error: TandemError): ErrorObject[] =>
  (toErrorBody(error).body as { readonly errors: ErrorObject[] }).errors

const types: { readonly [type: string]: ReadableFormat } = {
  'application/json': 'json',
  'text/json': 'json',
  'text/csv': 'csv',
  'application/csv': 'csv',
}

/**
 * Determines the format by media type, or by name if the type is generic or (as on some systems for CSV) a
 * spreadsheet.
 */
function formatOf({ type, filename }: Incoming): ReadableFormat {
  const format = Object.hasOwn(types, type) ? types[type] : undefined
  if (format !== undefined) return format
  const isVague = ['application/octet-stream', 'text/plain', 'application/vnd.ms-excel'].includes(type)
  const [, ending] = (isVague ? /\.(csv|json)$/i.exec(filename ?? '') : null) ?? []
  if (ending !== undefined) return ending.toLowerCase() as ReadableFormat
  throw new TandemError({ kind: 'unsupported-media-type', mediaType: type, expected: 'text/csv, application/json' })
}

/** Converts cells to values; a column's name is the path of its values. */
function fromCells(row: ReadRow, { collection }: OpenedCollection): ReadRow {
  const item: Cells = {}
  const nested = new Set<unknown>()
  for (const [name, text] of Object.entries(row)) {
    const path = name.split('.')
    if (path.some((step) => reserved.has(step)))
      throw new FileFault(0, `Expected the name of a field for each column but received "${name}"`)
    const last = path.pop() as string
    const target = path.reduce((inner: Cells, step) => {
      if (!Object.hasOwn(inner, step)) nested.add((inner[step] = {}))
      return nested.has(inner[step]) ? (inner[step] as Cells) : failBothWays(name)
    }, item)
    if (Object.hasOwn(target, last)) failBothWays(name)
    target[last] = path.length > 0 ? text : fromCell(text, collection.fields.get(name))
  }
  return item
}

type Cells = { [field: string]: unknown }

function failBothWays(name: string): never {
  throw new FileFault(0, `Expected a column for a field or columns for its parts but received both of "${name}"`)
}

const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', ''])

const texts: ReadonlySet<Field['type']> = new Set(['string', 'text', 'uuid', 'hash', 'binary', 'bigInteger', 'decimal'])

/** Numbers stay text, because their columns parse it exactly. */
function fromCell(text: unknown, field: Field | undefined): unknown {
  if (typeof text !== 'string' || field === undefined || texts.has(field.type)) return text
  try {
    const value: unknown = parseExactly(text)
    return typeof value === 'number' && field.type !== 'json' ? text : value
  } catch {
    return text
  }
}
