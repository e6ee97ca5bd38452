/** The export formats and their media types. Their implementation (`rows.ts`) is loaded on first use. */
export const rowFormats = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  yaml: 'text/yaml; charset=utf-8',
} as const

export type RowFormat = keyof typeof rowFormats
