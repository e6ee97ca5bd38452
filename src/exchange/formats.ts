/** The formats that rows can be written in, with their media types. How is loaded by the first that are (`rows.ts`). */
export const rowFormats = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  yaml: 'text/yaml; charset=utf-8',
} as const

export type RowFormat = keyof typeof rowFormats
