/** Whole values as documents: XML and YAML texts, and tables of CSV. */
import { parse as parseXml } from 'js2xmlparser'
import papaparse from 'papaparse'
import { parseDocument, stringify } from 'yaml'

/** A value as XML below one `data` element; characters that XML cannot hold become U+FFFD, in names an underscore. */
export function toXml(value: unknown): string {
  return parseXml('data', withSafeNames(value), {
    format: { pretty: true },
    replaceInvalidChars: true,
    validation: false,
  })
}

function withSafeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSafeNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      /^[A-Za-z_][\w.-]*$/.test(name) ? name : name.replaceAll(/[^\w.-]/g, '_').replace(/^(?![A-Za-z_])/, '_'),
      withSafeNames(each),
    ]),
  )
}

/** A value as YAML, without anchors and with long texts on one line, so that versions of it can be compared. */
export function toYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
}

/** Reads YAML 1.2, of which JSON is a part. Throws an error whose message tells where it is wrong. */
export function fromYaml(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true, version: '1.2' })
  const [error] = document.errors
  if (error !== undefined) throw new Error(error.message.split('\n', 1)[0], { cause: error })
  return document.toJS({ maxAliasCount: 100 }) as unknown
}

/** Rows as CSV with a line of names. Objects become JSON; what a spreadsheet would compute is made text (RFC 4180, CWE-1236). */
export function toCsvTable(rows: readonly { readonly [column: string]: unknown }[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((column) => toCell(row[column])))
  return `${papaparse.unparse([columns, ...cells], { escapeFormulae: true, newline: '\r\n' })}\r\n`
}

const toCell = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '')
