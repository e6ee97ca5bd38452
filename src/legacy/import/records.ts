/** Rows of system tables as records, and what their columns hold as JSON, lists and flags. */
import { parseOr } from '../../domain/parse-or.ts'
import type { SourceTable, TableSource } from '../../domain/ports/table-source.ts'

/** A row by the names of its columns. A column that this version does not have is not there. */
export type SourceRecord = { readonly [column: string]: string | null }

/** All rows in pages, in the order of `key`. */
export async function* readRecords(
  source: TableSource,
  table: SourceTable | undefined,
  key: readonly string[],
): AsyncGenerator<readonly SourceRecord[]> {
  if (table === undefined) return
  const names = table.columns.map(({ name }) => name)
  for await (const page of source.rows(table, names, key)) {
    yield page.map((row) =>
      Object.fromEntries(names.map((name, at) => [name, row[at]?.replaceAll('\0', '\uFFFD') ?? null])),
    )
  }
}

export async function readAll(source: TableSource, table: SourceTable | undefined): Promise<readonly SourceRecord[]> {
  const records: SourceRecord[] = []
  for await (const page of readRecords(source, table, table?.primaryKey ?? [])) records.push(...page)
  return records
}

/** Null for the empty text too. */
export const filled = (row: SourceRecord, name: string): string | null => {
  const value = row[name]
  return value === undefined || value === '' ? null : value
}

export const flag = (row: SourceRecord, name: string): boolean => !['0', '', null, undefined].includes(row[name])

/** The parsed value; undefined for what is no JSON. */
export function parsed(text: string | null): unknown {
  return text === null || text === '' ? null : parseOr(text, undefined)
}

/** JSON as text, or null for nothing and for what is no JSON. */
export const jsonAt = (row: SourceRecord, name: string): string | null => {
  const value = parsed(row[name] ?? null)
  return value === undefined || value === null ? null : (row[name] as string)
}

/** Reports texts that should be JSON and are not, which are left out. `who` names the row for people. */
export function tellBroken(
  row: SourceRecord,
  names: readonly string[],
  who: string,
  tell: (note: string) => void,
): void {
  for (const name of names)
    if (parsed(row[name] ?? null) === undefined) tell(`The value of ${name} of ${who} is left out: it is no JSON`)
}

/** A list with commas, also outside: `,a,b,` has two entries. Null for an empty one. */
export const listAt = (row: SourceRecord, name: string): readonly string[] | null => {
  const value = parsed(row[name] ?? null)
  const texts = Array.isArray(value) ? value.map(String) : (row[name] ?? '').split(',')
  const entries = texts.map((each) => each.trim()).filter((each) => each !== '')
  return entries.length === 0 ? null : entries
}

/** In version 8 a list of `{locale, translation}`, in version 7 an object by locale; here `{language, translation}`. */
export function translationsAt(row: SourceRecord): string | null {
  const value = parsed(row['translation'] ?? null)
  if (typeof value !== 'object' || value === null) return null
  const entries = Array.isArray(value)
    ? value.filter((each): each is { [key: string]: unknown } => typeof each === 'object' && each !== null)
    : Object.entries(value).map(([locale, translation]) => ({ locale, translation }))
  const list = entries.map(({ locale, ...rest }: { [key: string]: unknown }) => ({ language: locale, ...rest }))
  return list.length === 0 ? null : JSON.stringify(list)
}

/** Stands for a moment that must be there and is not. */
export const firstMoment = '1970-01-01 00:00:01+00'

/** A moment without zone, which is one of UTC; null for a date that there is not. */
export const instantAt = (row: SourceRecord, name: string): string | null => {
  const value = filled(row, name)
  if (value === null || /^0000|-00/.test(value)) return null
  return `${value.replace(/\.0+$/, '')}+00`
}
