/**
 * Splits CSV (RFC 4180) into lines of cells, and looks at each character once. Libraries look ahead, which takes
 * quadratic time for some lines, such as many quotes before many spaces.
 */
import { longestRow, tooLong } from './file-text.ts'

/** `fault`: why the line cannot be read; no line follows it. */
export type CsvLine = { readonly cells: readonly string[]; readonly fault: string | null }

/** Position in a cell. `quote`: after a quote in a quoted cell, which ends the cell unless another one follows. */
type CellState = 'start' | 'plain' | 'quoted' | 'quote' | 'closed'

/** `text`: the current cell so far. `length`: characters of the current line so far. */
type LineReader = {
  readonly delimiter: string
  /** Matches what ends a cell that is not quoted. */
  readonly ends: RegExp
  state: CellState
  text: string
  cells: string[]
  length: number
}

/** Yields the lines that are not empty. The first piece of the text shows what separates cells. */
export async function* csvLines(text: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  let reading: LineReader | null = null
  for await (const piece of text) {
    reading ??= begin(delimiterOf(piece))
    yield* linesOf(reading, piece)
    if (reading.length > longestRow) throw tooLong()
  }
  if (reading === null) return
  if (reading.state === 'quoted') yield { cells: reading.cells, fault: 'Expected a closing quote' }
  else yield* endCell(reading, true)
}

const delimiters = [',', '\t', ';', '|'] as const

/** The character that separates most names of the header. */
function delimiterOf(text: string): string {
  const unquoted = text.trimStart().replaceAll(/"[^"]*"?/g, '')
  const [header = ''] = unquoted.split(/[\r\n]/, 1)
  const counts = delimiters.map((each) => header.split(each).length)
  return delimiters[counts.indexOf(Math.max(...counts))] as string
}

const begin = (delimiter: string): LineReader => ({
  delimiter,
  ends: new RegExp(`[\\r\\n${delimiter}]`, 'g'),
  state: 'start',
  text: '',
  cells: [],
  length: 0,
})

function* linesOf(reading: LineReader, piece: string): Generator<CsvLine, void> {
  let at = 0
  while (at < piece.length) {
    const opens = reading.state === 'start' || reading.state === 'quote'
    if (opens && piece.charAt(at) === '"') {
      // The second of two quotes within a cell is a part of it.
      if (reading.state === 'quote') reading.text += '"'
      reading.state = 'quoted'
      at += 1
      continue
    }
    const end = endOfPart(reading, piece, at)
    const fault = takePart(reading, piece.slice(at, end))
    if (fault !== null) return yield { cells: reading.cells, fault }
    reading.length += end - at + 1
    at = end + 1
    if (end === piece.length) return
    if (reading.state === 'quoted') reading.state = 'quote'
    else yield* endCell(reading, piece.charAt(end) !== reading.delimiter)
  }
}

function endOfPart({ state, ends }: LineReader, piece: string, at: number): number {
  ends.lastIndex = at
  const end = state === 'quoted' ? piece.indexOf('"', at) : (ends.exec(piece)?.index ?? -1)
  return end === -1 ? piece.length : end
}

/** Returns a fault, or null. Spaces after a quoted cell are not a part of it. */
function takePart(reading: LineReader, part: string): string | null {
  if (reading.state === 'quote' || reading.state === 'closed') {
    reading.state = 'closed'
    return part.trim() === '' ? null : 'Expected the next cell after a closing quote but received more text'
  }
  if (reading.state === 'start') reading.state = 'plain'
  reading.text += part
  return null
}

function* endCell(reading: LineReader, endsLine: boolean): Generator<CsvLine, void> {
  reading.cells.push(reading.text)
  reading.text = ''
  reading.state = 'start'
  if (!endsLine) return
  const { cells } = reading
  reading.cells = []
  reading.length = 0
  if (cells.length > 1 || cells[0] !== '') yield { cells, fault: null }
}
