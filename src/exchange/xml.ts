/** Writes JSON values as XML elements. */
import { withDigits } from '../domain/conditions/exact-numbers.ts'

/** One element. A list becomes repeated elements, null an empty one. Names that XML does not allow are encoded. */
export const toElement = (name: string, value: unknown): string => elementText(name, value, elementForm)

/** The same for a whole document. Null is written as such; characters that no name may have become underscores. */
export const toXmlDocument = (name: string, value: unknown): string =>
  `<?xml version='1.0'?>\n${elementText(name, value, documentForm)}`

type XmlLayout = { readonly indent: string; readonly empty: string; readonly nameOf: (name: string) => string }

function elementText(name: string, value: unknown, form: XmlLayout, depth = 0): string {
  const inner = contentOf(name, value, form, depth)
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`
}

function contentOf(name: string, content: unknown, form: XmlLayout, depth: number): string {
  const value = withDigits(content)
  if (typeof value !== 'object' || value === null)
    return escape(value === null ? form.empty : `${value as string | number | boolean}`)
  const entries = Array.isArray(value)
    ? [[name, value] as const]
    : Object.entries(value).map(([key, each]) => [form.nameOf(key), each] as const)
  const elements = entries.flatMap(([key, each]) =>
    itemsOf(each).map((item) => elementText(key, item, form, depth + 1)),
  )
  const line = `\n${form.indent.repeat(depth)}`
  return elements.map((each) => `${line}${form.indent}${each}`).join('') + (elements.length === 0 ? '' : line)
}

/** The items of a list and of the lists in it; anything else is one item. */
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.flatMap(itemsOf) : [value])

/** Characters that XML does not allow, not even escaped, become U+FFFD. */
const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(']]>', ']]&gt;')

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

const safeName = (name: string): string =>
  /^[A-Za-z_][\w.-]*$/.test(name) ? name : name.replaceAll(/[^\w.-]/g, '_').replace(/^(?![A-Za-z_])/, '_')

const elementForm: XmlLayout = { indent: '\t', empty: '', nameOf: toXmlName }
const documentForm: XmlLayout = { indent: '    ', empty: 'null', nameOf: safeName }
