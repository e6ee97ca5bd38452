/** The lines of CSV: no more is read before they are taken. */
import { longestRow, tooLong } from './file-text.ts'

/** `isOpen`: the file ended within quotes. */
export type CsvLine = { readonly cells: readonly string[]; readonly isOpen: boolean }

/** What the parser says of a text, all lines of which it has or may be without the last. */
type Parsed = {
  readonly data: readonly (readonly string[])[]
  readonly errors: readonly { readonly code: string }[]
  readonly meta: { readonly cursor: number }
}

type Parse = (text: string, withoutLast: boolean) => Parsed

/** Empty lines are left out. */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  let parse: Parse | null = null
  let rest = ''
  for await (const piece of withWholeBreaks(text)) {
    rest += piece
    parse ??= await parserFor(rest)
    const { data, meta } = parse(rest, true)
    for (const cells of data) if (!isEmpty(cells)) yield { cells, isOpen: false }
    rest = rest.slice(meta.cursor)
    // It is looked at again with every piece: without an end it would cost ever more.
    if (rest.length > longestRow) throw tooLong()
  }
  if (parse === null || rest === '') return
  const { data, errors } = parse(rest, false)
  const isOpen = errors.some(({ code }) => code === 'MissingQuotes')
  for (const [index, cells] of data.entries()) {
    const isLast = index === data.length - 1
    if (!isEmpty(cells) || (isLast && isOpen)) yield { cells, isOpen: isLast && isOpen }
  }
}

/** By the beginning of a file: what separates its cells, and its lines. */
async function parserFor(text: string): Promise<Parse> {
  const { default: papa } = await import('papaparse')
  const { delimiter, linebreak } = papa.parse(text, { preview: 10, skipEmptyLines: true }).meta
  const parser = new papa.Parser({ delimiter, newline: linebreak as '\n' })
  return (rest, withoutLast) => parser.parse(rest, 0, withoutLast) as Parsed
}

const isEmpty = (cells: readonly string[]): boolean => cells.length === 1 && cells[0] === ''

/** A line break is never cut in two: the parser would take its halves for two. */
async function* withWholeBreaks(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let held = ''
  for await (const piece of text) {
    const whole = held + piece
    held = whole.endsWith('\r') ? '\r' : ''
    const ready = whole.slice(0, whole.length - held.length)
    if (ready !== '') yield ready
  }
  if (held !== '') yield held
}
