/** The one row of settings as rows of key and value, and back. */

import { findReadGrant } from '../../authz/grants.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import { readItems } from '../../core/rows/read-items.ts'
import { readEntries, type SettingEntry, settingsCollection } from '../../core/server/setting-entries.ts'
import { isRecord } from '../../domain/is-record.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { toRows } from '../../domain/ports/row-store.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { withFileLinks } from '../files/file-links.ts'
import { type KnownSetting, knownSettings, type SettingType } from '../model/known-settings.ts'
import { openSystemCollection, visibleScope } from '../wire/collections.ts'
import { toText } from '../wire/lists.ts'
import { parseQuery } from '../wire/query.ts'

/** A setting as clients see it. */
export type SettingRow = { readonly id: number; readonly key: string; readonly value: unknown }

/** The settings that the caller may read. Throws `forbidden` if there are none. */
export async function readSettingRows(
  ctx: ReadContext & Pick<Context, 'project'>,
  request: HttpRequest,
): Promise<readonly SettingRow[]> {
  openSystemCollection(ctx, settingsCollection, 'read')
  const columns = await readColumns(ctx, request)
  const mayReadEntries = findReadGrant(ctx.actor, ctx.schema, settingsCollection)?.fields.has('entries') === true
  const entries = new Map(mayReadEntries ? (await readEntries(ctx)).map((each) => [each.key, each]) : [])
  const rows = knownSettings.flatMap((setting) => {
    const { id, key } = setting
    const entry = entries.get(key)
    entries.delete(key)
    if (entry?.gone === true) return []
    if (Object.hasOwn(columns, key)) return [{ id, key, value: toShown(setting, columns[key]) }]
    if (isColumn(ctx, key) || !mayReadEntries) return []
    return [{ id, key, value: toForm(setting.type, entry === undefined ? setting.value : entry.value) }]
  })
  const others = [...entries.values()].filter(({ gone }) => gone !== true)
  return [...rows, ...others.map(({ id, key, value }) => ({ id, key, value }))]
}

/** Whether the server has a column of its own for the setting. */
export const isColumn = ({ view }: Pick<Context, 'view'>, key: string): boolean =>
  view.byCore.get(settingsCollection)?.fields.has(key) === true

/** The values of the columns by key, files as objects where the caller may read files. */
async function readColumns(
  ctx: ReadContext & Pick<Context, 'project'>,
  request: HttpRequest,
): Promise<{ readonly [key: string]: unknown }> {
  const scope = visibleScope(ctx)
  const names = [...(scope.view.byCore.get(settingsCollection)?.fields.keys() ?? [])]
  const files = knownSettings.filter(({ type, key }) => type === 'file' && names.includes(key)).map(({ key }) => key)
  const seesFiles = scope.view.byCore.has(filesCollection)
  const fields = names.filter((name) => !(seesFiles && files.includes(name)))
  const wanted = [...fields, ...(seesFiles ? files.map((key) => `${key}.*`) : [])]
  const { query } = parseQuery({ fields: wanted, limit: 1 }, settingsCollection, scope)
  const rows = await withFileLinks(ctx, await readItems(ctx, query), { collection: settingsCollection, request })
  const { id: _, ...columns } = toRows(rows)[0] ?? {}
  return columns
}

/** Lists and JSON are texts here. */
function toShown({ type, key }: KnownSetting, value: unknown): unknown {
  if (type === 'array') return Array.isArray(value) ? value.join(',') : value
  if (type !== 'json') return value
  return value === null ? null : JSON.stringify(key === 'asset_whitelist' ? toSizes(value) : value)
}

function toForm(type: SettingType, value: string | null): unknown {
  if (value === null) return null
  if (type === 'integer') return value === '' ? null : Number(value)
  return type === 'boolean' ? value === '1' || value === 'true' : value
}

/** The sizes of pictures with other words for how they fit. */
const withFits = (sizes: unknown, fitOf: (fit: unknown) => string): unknown =>
  Array.isArray(sizes)
    ? sizes.map((each: unknown) => (isRecord(each) ? { ...each, fit: fitOf(each['fit']) } : each))
    : sizes

/** Pictures of this generation are cropped, or as large as fits. */
const toSizes = (value: unknown): unknown => withFits(value, (fit) => (fit === 'cover' ? 'crop' : 'contain'))

const fromSizes = (value: unknown): unknown => withFits(value, (fit) => (fit === 'crop' ? 'cover' : 'inside'))

/** The column value for a value of the wire; empty values clear the column. */
export function toColumn(key: string, value: unknown): unknown {
  const type = knownSettings.find((each) => each.key === key)?.type
  const isEmpty = value === '' || value === undefined || value === null
  if (isEmpty) return required[key] ?? null
  if (type === 'array' && typeof value === 'string') return value.split(',').map((each) => each.trim())
  if (type !== 'json') return value
  return fromSizes(typeof value === 'string' ? parseJson(key, value) : value)
}

/** Values of columns that cannot be empty. */
const required: { readonly [key: string]: string } = {
  project_name: 'Tandem',
  project_color: '#263238',
  default_locale: 'en-US',
  file_naming: 'uuid',
  asset_url_naming: 'private_hash',
}

function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const message = 'This value should be of type json.'
    throw new TandemError({ kind: 'failed-validation', field: key, type: 'type', message })
  }
}

/** The text of an entry: a file as its number, a list with commas, anything else that is no text as JSON. */
export function toEntryText(key: string, value: unknown): string | null {
  const type = knownSettings.find((each) => each.key === key)?.type ?? 'string'
  if (value === null || value === undefined || value === '') return null
  if (type === 'boolean') return value === false || value === 0 || value === '0' || value === 'false' ? '0' : '1'
  if (type === 'integer' && !/^-?\d{1,15}$/.test(toText(value))) {
    const message = 'This value should be of type numeric.'
    throw new TandemError({ kind: 'failed-validation', field: key, type: 'type', message })
  }
  if (typeof value === 'string') return value
  return Array.isArray(value) && type === 'array' ? value.join(',') : JSON.stringify(value)
}

/** The entries with others under the same keys; new keys get the next numbers. */
export function withEntries(
  entries: readonly SettingEntry[],
  changed: ReadonlyMap<string, Omit<SettingEntry, 'id' | 'key'>>,
): readonly SettingEntry[] {
  const stored = entries.filter(({ key }) => !changed.has(key))
  let last = Math.max(knownSettings.length, ...entries.map(({ id }) => id))
  const own = (key: string): number =>
    entries.find((each) => each.key === key)?.id ?? knownSettings.find((each) => each.key === key)?.id ?? ++last
  return [...stored, ...[...changed].map(([key, values]) => ({ id: own(key), key, ...values }))].toSorted(
    (left, right) => left.id - right.id,
  )
}
