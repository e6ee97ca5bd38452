/** What of an HTML text an editor keeps: two texts are the same if their elements, attributes and words are. */

/** Older names of elements that the editor writes by newer names. */
const newerNames: { readonly [name: string]: string } = { b: 'strong', i: 'em', del: 's', strike: 's' }

/** Elements that hold paragraphs; text directly in them means a paragraph. */
const holders = new Set(['body', 'li', 'blockquote'])

const blocks = new Set(
  'p,h1,h2,h3,h4,h5,h6,ul,ol,li,blockquote,pre,hr,table,thead,tbody,tr,td,th,div,section,article,figure,iframe'.split(
    ',',
  ),
)

const nameOf = (element: Element): string => newerNames[element.localName] ?? element.localName

const attributesOf = (element: Element): readonly (readonly [string, string])[] =>
  [...element.attributes]
    .map(({ name, value }) => [name, name === 'style' ? value.replaceAll(/\s+|;\s*$/g, '') : value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const isBlock = (node: Node): boolean => node instanceof Element && blocks.has(node.localName)

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

/** One line of text that is the same for texts with the same meaning. */
export function toCanonical(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  body.normalize()
  return childrenOf(body, 'body', false).trim()
}

function childrenOf(parent: Node, name: string, isExact: boolean): string {
  if (!holders.has(name)) return [...parent.childNodes].map((node) => written(node, isExact)).join('')
  const parts: string[] = []
  let line = ''
  const endLine = (): void => {
    if (!isBlank(line)) parts.push(`<p>${line.trim()}</p>`)
    line = ''
  }
  for (const node of parent.childNodes) {
    if (isBlock(node)) {
      endLine()
      parts.push(written(node, isExact))
    } else line += written(node, isExact)
  }
  endLine()
  return parts.join('')
}

function written(node: Node, isExact: boolean): string {
  if (node instanceof Text) {
    if (isExact) return escaped(node.data)
    const isBetweenBlocks = isBlank(node.data) && (isList(node.parentNode) || isBlockBeside(node))
    return isBetweenBlocks ? '' : escaped(node.data.replaceAll(/[ \t\r\n]+/g, ' '))
  }
  if (!(node instanceof Element)) return `<!${node.nodeName} ${node.textContent ?? ''}>`
  const name = nameOf(node)
  const attributes = attributesOf(node).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const inner = childrenOf(node, name, isExact || name === 'pre')
  return `<${name}${attributes.join('')}>${blocks.has(name) && name !== 'pre' ? inner.trim() : inner}</${name}>`
}

const isList = (node: Node | null): boolean => node instanceof Element && /^(ul|ol)$/.test(node.localName)

const isBlockBeside = ({ previousSibling, nextSibling }: Node): boolean =>
  (previousSibling !== null && isBlock(previousSibling)) || (nextSibling !== null && isBlock(nextSibling))

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The names of elements, and `element attribute`, that are in the first text more often than in the second. */
export function lostMarkup(before: string, after: string): readonly string[] {
  const left = countMarkup(after)
  return [...countMarkup(before)].filter(([name, count]) => count > (left.get(name) ?? 0)).map(([name]) => name)
}

function countMarkup(html: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const element of new DOMParser().parseFromString(html, 'text/html').body.querySelectorAll('*')) {
    const name = nameOf(element)
    add(name)
    for (const attribute of element.attributes) add(`${name} ${attribute.name}`)
  }
  return counts
}
