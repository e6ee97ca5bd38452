/** Writes rows in a format page by page, without keeping earlier output. */
import papa from 'papaparse'
import { stringify } from 'yaml'
import { toCell } from './cells.ts'
import { yamlOptions } from './documents.ts'
import type { RowFormat } from './formats.ts'
import { toElement } from './xml.ts'

export type Rows = readonly { readonly [field: string]: unknown }[]

/** A column of a table: its name and the path of its values. Nested formats do not use columns. */
export type Column = readonly string[]

/** Writes pages of rows in order; `end` finishes the output. */
export type RowsWriter = { readonly page: (rows: Rows) => string; readonly end: () => string }

/** Spreadsheets read a text that begins with it as UTF-8. */
const byteOrderMark = '\uFEFF'

const writers: { readonly [F in RowFormat]: (columns: readonly Column[]) => RowsWriter } = {
  csv: csvWriter,
  csv_utf8: (columns) => csvWriter(columns, byteOrderMark),
  json: jsonWriter,
  xml: xmlWriter,
  yaml: yamlWriter,
}

export const openRows = (format: RowFormat, columns: readonly Column[]): RowsWriter => writers[format](columns)

const quotes = (value: unknown): boolean => typeof value === 'string'

const toLines = (lines: readonly (readonly unknown[])[]): string =>
  lines.length === 0 ? '' : `${papa.unparse(lines as unknown[][], { quotes })}\r\n`

/** CSV by RFC 4180: a header, quoted texts, and columns of nested objects named by their path. */
function csvWriter(columns: readonly Column[], mark = ''): RowsWriter {
  let head: string | null = mark + toLines([columns.map((path) => toCell(path.join('.')))])
  const takeHead = (): string => {
    const text = head ?? ''
    head = null
    return text
  }
  return {
    page: (rows) => takeHead() + toLines(rows.map((row) => columns.map((path) => toCell(valueAt(row, path))))),
    end: takeHead,
  }
}

function valueAt(row: unknown, path: Column): unknown {
  let value = row
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as { readonly [field: string]: unknown })[name]
  }
  return value
}

function jsonWriter(): RowsWriter {
  let separator = '[\n'
  const next = (): string => {
    const text = separator
    separator = ',\n'
    return text
  }
  return {
    page: (rows) => rows.map((row) => `${next()}${indented(JSON.stringify(row, null, '\t'), '\t')}`).join(''),
    end: () => (separator === '[\n' ? '[]\n' : '\n]\n'),
  }
}

/** JSON Lines: JSON escapes line breaks, so each row is one line. */
const indented = (text: string, by: string): string => by + text.replaceAll('\n', `\n${by}`)

function xmlWriter(): RowsWriter {
  let head = "<?xml version='1.0'?>\n<data>\n"
  const takeHead = (): string => {
    const text = head
    head = ''
    return text
  }
  return {
    page: (rows) => takeHead() + rows.map((row) => `${toElement('data', row)}\n`).join(''),
    end: () => `${takeHead()}</data>\n`,
  }
}

function yamlWriter(): RowsWriter {
  let isEmpty = true
  return {
    page: (rows) => {
      if (rows.length === 0) return ''
      isEmpty = false
      // YAML is written row by row, because a document of many rows needs many times their memory.
      return rows.map((row) => stringify([row], yamlOptions)).join('')
    },
    end: () => (isEmpty ? '[]\n' : ''),
  }
}
