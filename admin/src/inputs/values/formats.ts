/** Signs of formats in Markdown and HTML, and where they go in a text. */

/** What stands around the chosen text; with `line`, around each of its lines too. */
type Signs = { readonly before: string; readonly after: string; readonly line?: readonly [string, string] }

export type Markup = 'markdown' | 'html'

const around = (before: string, after = before): Signs => ({ before, after })
const lines = (before: string, start: string, end: string, after: string): Signs => ({
  before,
  after,
  line: [start, end],
})

const formats = {
  bold: { markdown: around('**'), html: around('<strong>', '</strong>') },
  italic: { markdown: around('*'), html: around('<em>', '</em>') },
  heading: { markdown: lines('', '## ', '', ''), html: lines('', '<h2>', '</h2>', '') },
  list: { markdown: lines('', '- ', '', ''), html: lines('<ul>\n', '<li>', '</li>', '\n</ul>') },
  quote: { markdown: lines('', '> ', '', ''), html: lines('<blockquote>\n', '<p>', '</p>', '\n</blockquote>') },
  link: { markdown: around('[', '](https://)'), html: around('<a href="https://">', '</a>') },
} as const satisfies { readonly [format: string]: { readonly [markup in Markup]: Signs } }

export type Format = keyof typeof formats

export const formatNames = Object.keys(formats) as readonly Format[]

export type Selected = { readonly text: string; readonly start: number; readonly end: number }

/** The text with the signs of a format around what is selected in it. Formats of lines take whole lines. */
export function withFormat({ text, start, end }: Selected, format: Format, markup: Markup): Selected {
  const signs: Signs = formats[format][markup]
  if (signs.line === undefined) return replace({ text, start, end }, text.slice(start, end), signs)
  const [first, last] = [text.lastIndexOf('\n', start - 1) + 1, text.indexOf('\n', end)]
  const [from, to] = [first, last === -1 ? text.length : last]
  const [open, close] = signs.line
  const chosen = text.slice(from, to).split('\n')
  const inner = chosen.map((each) => `${open}${each}${close}`).join('\n')
  return replace({ text, start: from, end: to }, inner, signs)
}

/** `inner` in place of what is selected, with the signs around it. */
const replace = ({ text, start, end }: Selected, inner: string, { before, after }: Signs): Selected => {
  const first = start + before.length
  const all = text.slice(0, start) + before + inner + after + text.slice(end)
  return { text: all, start: first, end: first + inner.length }
}
