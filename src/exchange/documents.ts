/** Converts complete values to XML, YAML and CSV. */
import papaparse from 'papaparse'
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  type ScalarTag,
  stringify,
  visit,
} from 'yaml'
import { isExact, withDigits } from '../domain/conditions/exact-numbers.ts'
import { firstRepeated } from '../domain/schema/repeated.ts'
import { toXmlDocument } from './xml.ts'

/** A value as XML in one `data` element. Characters that XML does not allow become U+FFFD; in names they become underscores. */
export const toXml = (value: unknown): string => toXmlDocument('data', value)

/** A value as YAML without anchors and line folding, so that versions of it can be compared line by line. */
export function toYaml(value: unknown): string {
  return stringify(value, { ...yamlOptions, lineWidth: 0 })
}

const digits: ScalarTag = {
  default: true,
  tag: 'tag:yaml.org,2002:float',
  identify: isExact,
  resolve: (text) => text,
  stringify: ({ value }) => String(withDigits(value)),
}

/** Numbers that a double cannot hold are written with their digits. */
export const yamlOptions = { aliasDuplicateObjects: false, customTags: [digits] }

/** Parses YAML 1.2, which includes JSON. The message of an error contains the position. */
export function fromYaml(text: string): unknown {
  // The library compares each key with all before it, which takes minutes for a large map.
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: false, version: '1.2' })
  const [error] = document.errors
  if (error !== undefined) throw new Error(error.message.split('\n', 1)[0], { cause: error })
  assertUniqueKeys(document)
  return document.toJS({ maxAliasCount: 100 }) as unknown
}

export type PlacedDocument = {
  readonly value: unknown
  /** The line of the part with this path, or of what is nearest to it. */
  readonly lineOf: (path: readonly string[]) => number
}

/** Parses YAML and keeps its lines, for messages. The message of an error contains the position. */
export function placedYaml(text: string): PlacedDocument {
  const value = fromYaml(text)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, version: '1.2' })
  const lineOf = (path: readonly string[]): number => {
    let node: unknown = document.contents
    let offset = 0
    for (const key of path) {
      if (isMap(node)) {
        const pair = node.items.find((each) => String(isScalar(each.key) ? each.key.value : each.key) === key)
        if (pair === undefined) break
        offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset
        node = pair.value
      } else {
        const next = isNode(node) && 'get' in node ? (node as unknown as Listing).get(Number(key), true) : undefined
        if (!isNode(next)) break
        offset = next.range?.[0] ?? offset
        node = next
      }
    }
    return lines.linePos(offset).line
  }
  return { value, lineOf }
}

type Listing = { readonly get: (at: number, keepScalar: true) => unknown }

function assertUniqueKeys(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const twice = firstRepeated(items.map(({ key }) => String(isScalar(key) ? key.value : key)))
      if (twice !== undefined) throw new Error(`Map keys must be unique but "${twice}" is there twice`)
    },
  })
}

/** Rows as CSV with a header. Objects become JSON; formulas are escaped (RFC 4180, CWE-1236). */
export function toCsvTable(rows: readonly { readonly [column: string]: unknown }[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((column) => toCell(row[column])))
  return `${papaparse.unparse([columns, ...cells], { escapeFormulae: true, newline: '\r\n' })}\r\n`
}

const toCell = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '')
