/**
 * Pages for windows of any width: each cell of a table knows the heading of its column, long names may break, and
 * pictures can be scrolled.
 */
import type { MarkdownOptions } from 'vitepress'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<Markdown['parse']>[number]

export function adaptPages(md: Markdown): void {
  md.core.ruler.push('narrow windows', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'table_open') labelCells(tokens.slice(at))
      // What scrolls can be reached by keyboard.
      if (token.type === 'paragraph_open' && isPicture(tokens[at + 1])) token.attrSet('tabindex', '0')
    }
  })
  const { code_inline: render } = md.renderer.rules
  md.renderer.rules['code_inline'] = (...words) => breakable(render?.(...words) ?? '')
  md.renderer.rules['text'] = (tokens, at) => withBreaks(md.utils.escapeHtml(tokens[at]?.content ?? ''))
}

const isPicture = (inline: Token | undefined): boolean =>
  inline?.children?.length === 1 && inline.children[0]?.type === 'image'

/** From the start of a table. */
function labelCells(tokens: readonly Token[]): void {
  const end = tokens.findIndex(({ type }) => type === 'table_close')
  const own = tokens.slice(0, end)
  const labels = own.flatMap(({ type }, at) => (type === 'th_open' ? [own[at + 1]?.content ?? ''] : []))
  const cells = own.filter(({ type }) => type === 'td_open')
  for (const [at, cell] of cells.entries()) cell.attrSet('data-label', labels[at % labels.length] ?? '')
}

/** The texts between tags. */
const breakable = (html: string): string => html.replaceAll(/>[^<]+</g, withBreaks)

/**
 * Words such as `MAX_PAYLOAD_SIZE`, a chain of calls or an address may break behind their separators; the text, in which
 * brackets are entities, stays the same.
 */
const withBreaks = (text: string): string =>
  text.replaceAll(/[^\s<>]{12,}/g, (word) => word.replaceAll(/(?<=[a-z);])[_/.:@]+(?=[a-z&])/gi, '$&<wbr>'))
