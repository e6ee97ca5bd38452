/** Writes JSON values as XML elements. */
import { parse } from 'js2xmlparser'

/** One element. A list becomes repeated elements, null an empty one. Names that XML does not allow are encoded. */
export function toElement(name: string, value: unknown): string {
  return parse(name, toNode(value), options)
}

const options = {
  declaration: { include: false },
  format: { pretty: true, indent: '\t' },
  /** Control characters are not allowed in XML, not even escaped. */
  replaceInvalidChars: true,
} as const

function toNode(value: unknown): unknown {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(toNode)
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toXmlName(key), toNode(inner)]))
}

/**
 * Encodes characters that are not allowed in names by their code, as SQL/XML does.
 * @example toXmlName('2nd part') // '_x0032_nd_x0020_part'
 */
export function toXmlName(name: string): string {
  const encoded = name.replaceAll(/[^\p{L}\p{N}_.-]/gu, encode).replace(/^[^\p{L}_]/u, encode)
  return encoded === '' ? '_' : encoded
}

const encode = (character: string): string =>
  `_x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}_`
