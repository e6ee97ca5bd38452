/**
 * Splits CSV (RFC 4180) into lines of cells, and looks at each character once. Libraries look ahead, which takes
 * quadratic time for some lines, such as many quotes before many spaces.
 */
import { longestRow, tooLong } from './file-text.ts'

/** `fault`: why the line cannot be read; no line follows it. */
export type CsvLine = { readonly cells: readonly string[]; readonly fault: string | null }

/** Position in a cell. `quote`: after a quote in a quoted cell, which ends the cell unless another one follows. */
type Place = 'start' | 'plain' | 'quoted' | 'quote' | 'closed'

/** `text`: the current cell so far. `length`: characters of the current line so far. */
type Reading = {
  readonly delimiter: string
  /** Matches what ends a cell that is not quoted. */
  readonly ends: RegExp
  place: Place
  text: string
  cells: string[]
  length: number
}

/** Yields the lines that are not empty. The first piece of the text shows what separates cells. */
export async function* csvLines(text: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  let reading: Reading | null = null
  for await (const piece of text) {
    reading ??= begin(delimiterOf(piece))
    yield* linesOf(reading, piece)
    if (reading.length > longestRow) throw tooLong()
  }
  if (reading === null) return
  if (reading.place === 'quoted') yield { cells: reading.cells, fault: 'Expected a closing quote' }
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

const begin = (delimiter: string): Reading => ({
  delimiter,
  ends: new RegExp(`[\\r\\n${delimiter}]`, 'g'),
  place: 'start',
  text: '',
  cells: [],
  length: 0,
})

function* linesOf(reading: Reading, piece: string): Generator<CsvLine, void> {
  let at = 0
  while (at < piece.length) {
    const opens = reading.place === 'start' || reading.place === 'quote'
    if (opens && piece.charAt(at) === '"') {
      // The second of two quotes within a cell is a part of it.
      if (reading.place === 'quote') reading.text += '"'
      reading.place = 'quoted'
      at += 1
      continue
    }
    const end = endOfPart(reading, piece, at)
    const fault = takePart(reading, piece.slice(at, end))
    if (fault !== null) return yield { cells: reading.cells, fault }
    reading.length += end - at + 1
    at = end + 1
    if (end === piece.length) return
    if (reading.place === 'quoted') reading.place = 'quote'
    else yield* endCell(reading, piece.charAt(end) !== reading.delimiter)
  }
}

function endOfPart({ place, ends }: Reading, piece: string, at: number): number {
  ends.lastIndex = at
  const found = place === 'quoted' ? piece.indexOf('"', at) : (ends.exec(piece)?.index ?? -1)
  return found === -1 ? piece.length : found
}

/** Returns a fault, or null. Spaces after a quoted cell are not a part of it. */
function takePart(reading: Reading, part: string): string | null {
  if (reading.place === 'quote' || reading.place === 'closed') {
    reading.place = 'closed'
    return part.trim() === '' ? null : 'Expected the next cell after a closing quote but received more text'
  }
  if (reading.place === 'start') reading.place = 'plain'
  reading.text += part
  return null
}

function* endCell(reading: Reading, endsLine: boolean): Generator<CsvLine, void> {
  reading.cells.push(reading.text)
  reading.text = ''
  reading.place = 'start'
  if (!endsLine) return
  const { cells } = reading
  reading.cells = []
  reading.length = 0
  if (cells.length > 1 || cells[0] !== '') yield { cells, fault: null }
}
