/** Settings by key and value → the one row here. */

import type { SettingEntry } from '../../../core/server/setting-entries.ts'
import { readPattern } from '../../../domain/conditions/patterns.ts'
import { knownSettings } from '../../model/known-settings.ts'
import { toColumn, toEntryText, withEntries } from '../../views/setting-rows.ts'
import { settings as fields } from '../../views/system/settings.ts'
import { filled, type SourceRecord } from '../records.ts'
import { type Draft, mirrorOf, type Tell } from './drafts.ts'

const types: { readonly [column: string]: string } = {
  project_logo: 'uuid',
  public_foreground: 'uuid',
  public_background: 'uuid',
  auth_login_attempts: 'integer',
  storage_asset_presets: 'json',
}

const columnNames = Object.entries(fields).flatMap(([key, { field }]) => (key === 'id' ? [] : [field]))

export const settingsMirror = mirrorOf(
  'platform_settings',
  ['id'],
  `id integer, ${columnNames.map((name) => `${name} ${types[name] ?? 'text'}`).join(', ')}, entries json`,
)

/** Settings that are kept for clients to read, and what holds here in their place. */
const withoutEffect: { readonly [key: string]: { readonly usual: string; readonly here: string } } = {
  sort_null_last: { usual: '1', here: 'empty values come last' },
  trusted_proxies: { usual: '', here: 'IP_TRUST_PROXY names trusted proxies' },
}

type SettingsFacts = { readonly id: number; readonly files: ReadonlyMap<string, string>; readonly tell: Tell }

/** A key that is not there has the value of a new project. Version 7 had keys per scope; the last one counts. */
export function draftSettings(rows: readonly SourceRecord[], { id, files, tell }: SettingsFacts): Draft {
  const input = new Map(rows.map((row) => [row['key'] ?? '', row['value'] ?? null]))
  for (const [key, named] of Map.groupBy(rows, (row) => row['key'] ?? ''))
    if (named.length > 1) tell(`The setting ${key} is there ${named.length} times; the last value counts`)
  for (const [key, { usual, here }] of Object.entries(withoutEffect)) {
    const value = filled({ value: input.get(key) ?? null }, 'value')
    if (value !== null && value !== usual) tell(`The setting ${key} has no effect here: ${here}`)
  }
  const columns = Object.entries(fields).flatMap(([key, { field }]) =>
    key === 'id' ? [] : [[field, columnText(key, input.get(key) ?? null, { files, tell })] as const],
  )
  const entries = [...input].filter(([key]) => key !== '' && !Object.hasOwn(fields, key))
  const all = withEntries(ownEntries(rows, entries), new Map())
  return { id: String(id), ...Object.fromEntries(columns), entries: all.length === 0 ? null : JSON.stringify(all) }
}

/** Under the numbers that they have there, unless a known setting has that number here. */
function ownEntries(
  rows: readonly SourceRecord[],
  entries: readonly (readonly [string, string | null])[],
): readonly SettingEntry[] {
  const taken = new Set(knownSettings.map(({ id }) => id))
  let next = Math.max(knownSettings.length, ...rows.map((row) => Number(row['id'] ?? 0)))
  return entries.map(([key, value]) => {
    const existing = knownSettings.find((each) => each.key === key)?.id
    const own = Number(rows.find((row) => row['key'] === key)?.['id'] ?? 0)
    const id = existing ?? (own > 0 && !taken.has(own) ? own : (next += 1))
    taken.add(id)
    return { id, key, value: entryText(key, value) }
  })
}

/** A value that is no number where one is expected stays a text. */
function entryText(key: string, value: string | null): string | null {
  try {
    return toEntryText(key, value)
  } catch {
    return value
  }
}

function columnText(key: string, value: string | null, { files, tell }: Omit<SettingsFacts, 'id'>): string | null {
  const type = knownSettings.find((each) => each.key === key)?.type
  if (type === 'file') {
    const file = filled({ value }, 'value')
    if (file !== null && file !== '0' && !files.has(file))
      tell(`The setting ${key} is left out: the file ${file} is not there`)
    return file === null ? null : (files.get(file) ?? null)
  }
  if (type === 'integer' && value !== null && !/^\d{1,9}$/.test(value)) return null
  if (key === 'password_policy' && filled({ value }, 'value') !== null && readPattern(value as string) === null) {
    tell('The setting password_policy is left out: its pattern is one that the server does not know')
    return null
  }
  try {
    const column = toColumn(key, value)
    if (column === null || column === undefined) return null
    if (Array.isArray(column) && type === 'array') return column.join(',')
    return typeof column === 'string' ? column : JSON.stringify(column)
  } catch {
    tell(`The setting ${key} is left out: its value is no JSON`)
    return null
  }
}
