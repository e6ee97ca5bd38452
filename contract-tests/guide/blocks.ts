/** The fenced blocks of a page, with what the page says about them. */

export type Block = {
  /** `start.md:12`, where the block begins. */
  readonly place: string
  readonly language: string
  /** Words behind the language, such as `system`. */
  readonly words: readonly string[]
  /** Name of the file that the block is, in brackets behind the language. */
  readonly file: string | null
  readonly text: string
  /** Why it is not run here: `<!-- not run: … -->`, or `<!-- run by …test.ts -->` before it. */
  readonly exception: string | null
  /** The block directly behind it, if that is its result. */
  readonly result: Block | null
}

/** Languages of blocks that are results where they follow another block. */
const results: ReadonlySet<string> = new Set(['json', 'text', 'csv', 'xml'])

/** All blocks in their order; the result of a block is not listed by itself. */
export function readBlocks(page: string, markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const found: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const [, indent, head] = /^( *)```(.*)$/.exec(lines[at] ?? '') ?? []
    if (head === undefined || indent === undefined) continue
    const end = lines.findIndex((line, index) => index > at && line.trim() === '```')
    if (end < 0) throw new Error(`${page}.md:${at + 1}: the block has no end`)
    const [, language = '', rest = ''] = /^([\w-]+)(.*)$/.exec(head) ?? []
    const file = /\[([^\]]+)\]/.exec(rest)?.[1] ?? null
    const block: Block = {
      place: `${page}.md:${at + 1}`,
      language,
      words: rest
        .replace(/\[[^\]]+\]/, '')
        .split(/\s+/)
        .filter((word) => word !== ''),
      file,
      text: lines
        .slice(at + 1, end)
        .map((line) => line.slice(indent.length))
        .join('\n'),
      exception: exceptionBefore(lines, at),
      result: null,
    }
    const before = found.at(-1)
    if (before !== undefined && isResult(block, before, lines.slice(0, at)))
      found[found.length - 1] = { ...before, result: block }
    else found.push(block)
    at = end
  }
  return found
}

/** A result follows its block with nothing but one line of prose that ends with a colon between them. */
function isResult({ language, exception }: Block, before: Block, lines: readonly string[]): boolean {
  if (!results.has(language) || before.result !== null || exception !== null || results.has(before.language))
    return false
  const from = lines.findLastIndex((line) => line.trim() === '```')
  const between = lines.slice(from + 1).filter((line) => line.trim() !== '')
  return between.length === 0
}

function exceptionBefore(lines: readonly string[], at: number): string | null {
  const before = lines.slice(0, at).findLast((line) => line.trim() !== '')
  return /^ *<!-- ((?:not run|run by).*) -->$/.exec(before ?? '')?.[1] ?? null
}
