/** The export formats and their media types. Their implementation (`rows.ts`) is loaded on first use. */
export const rowFormats = {
  csv: 'text/csv; charset=utf-8',
  csv_utf8: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  yaml: 'text/yaml; charset=utf-8',
} as const

export type RowFormat = keyof typeof rowFormats

/** The end of the name of a file. */
export const extensionOf = (format: RowFormat): string => (format === 'csv_utf8' ? 'csv' : format)
