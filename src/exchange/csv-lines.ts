/** Reads CSV line by line. More input is read only when lines are consumed. */
import { longestRow, tooLong } from './file-text.ts'

/** `isOpen`: the file ended inside a quoted cell. */
export type CsvLine = { readonly cells: readonly string[]; readonly isOpen: boolean }

/** The result of parsing a text; its last line may be incomplete. */
type Parsed = {
  readonly data: readonly (readonly string[])[]
  readonly errors: readonly { readonly code: string }[]
  readonly meta: { readonly cursor: number }
}

type Parse = (text: string, withoutLast: boolean) => Parsed

/** Yields the lines of the file, except empty ones. */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  let parse: Parse | null = null
  let rest = ''
  let next = 0
  for await (const piece of withWholeBreaks(text)) {
    rest += piece
    // An incomplete line is parsed again only once the text has doubled: a long line takes linear time.
    if (rest.length < next) continue
    parse ??= await parserFor(rest)
    const { data, meta } = parse(rest, true)
    for (const cells of data) if (!isEmpty(cells)) yield { cells, isOpen: false }
    rest = rest.slice(meta.cursor)
    if (rest.length > longestRow) throw tooLong()
    next = 2 * rest.length
  }
  if (parse === null || rest === '') return
  const { data, errors } = parse(rest, false)
  const isOpen = errors.some(({ code }) => code === 'MissingQuotes')
  for (const [index, cells] of data.entries()) {
    const isLast = index === data.length - 1
    if (!isEmpty(cells) || (isLast && isOpen)) yield { cells, isOpen: isLast && isOpen }
  }
}

/** Detects the separators of cells and lines from the beginning of a file. */
async function parserFor(text: string): Promise<Parse> {
  const { default: papa } = await import('papaparse')
  const { delimiter, linebreak } = papa.parse(text, { preview: 10, skipEmptyLines: true }).meta
  const parser = new papa.Parser({ delimiter, newline: linebreak as '\n' })
  return (rest, withoutLast) => parser.parse(rest, 0, withoutLast) as Parsed
}

const isEmpty = (cells: readonly string[]): boolean => cells.length === 1 && cells[0] === ''

/** Never splits CR LF between two chunks, because the parser would see two line breaks. */
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
