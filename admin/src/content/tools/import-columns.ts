/** Which columns a file has, and the fields that they are for. */
import { type Collection, type Field } from '../../model/model.ts'
import { toFieldLabel } from '../../model/texts.ts'

/** Bytes in which the header of a CSV file is looked for. */
const beginning = 65_536

const separators = [',', ';', '\t', '|'] as const
const quoted = '"(?:[^"]|"")*"'

/** The cells of the first line of CSV. The separator is the one that divides it most. */
export function headerOf(text: string): readonly string[] {
  const [line = ''] = new RegExp(`^(?:${quoted}|[^"\\r\\n])*`).exec(text) ?? []
  const bare = line.replaceAll(new RegExp(quoted, 'g'), '')
  const [separator = ','] = separators.toSorted((a, b) => bare.split(b).length - bare.split(a).length)
  const cells = line.match(new RegExp(`(?:${quoted}|[^"\\${separator}])+`, 'g')) ?? []
  return cells.map((cell) => cell.trim().replaceAll(/^"|"$/g, '').replaceAll('""', '"').trim())
}

/** The names of all columns of a file; throws for JSON that is none. */
export async function columnsOfFile(file: File): Promise<readonly string[]> {
  if (!/json$/i.test(file.type || file.name)) return headerOf(await file.slice(0, beginning).text())
  const rows: unknown = JSON.parse(await file.text())
  return [...new Set((Array.isArray(rows) ? rows : []).flatMap((row: object) => Object.keys(row ?? {})))]
}

const isAlike = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The field that a column is for, by its name or label; null if none is. */
export function fieldFor(column: string, fields: readonly Field[]): string | null {
  const exact = fields.find(({ field }) => field === column.split('.')[0])
  if (exact !== undefined) return column
  return fields.find((each) => isAlike(each.field, column) || isAlike(toFieldLabel(each), column))?.field ?? null
}

/** Fields that a file can have values for. */
export const fieldsOfFiles = ({ fields }: Collection): readonly Field[] =>
  fields.filter(({ schema, type }) => schema !== null || type !== 'alias')
