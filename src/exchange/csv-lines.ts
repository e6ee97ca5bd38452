/** The lines of CSV, some at a time: no more is read before they are taken. */
import { Readable } from 'node:stream'
import type { Parser, ParseStepResult } from 'papaparse'
import { longestRow, tooLong } from './file-text.ts'

/** `isOpen`: the file ended within quotes. */
export type CsvLine = { readonly cells: readonly string[]; readonly isOpen: boolean }

type Piece = Pick<ParseStepResult<string[][]>, 'data' | 'errors'>

/** Empty lines are left out. */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  const { default: papa } = await import('papaparse')
  let parser: Parser | null = null
  const goOn = (): void => {
    const paused = parser
    parser = null
    paused?.resume()
  }
  const pieces = new Readable({ objectMode: true, highWaterMark: 1, read: goOn })
  // Text that makes no line is read again with the next: without an end it would be kept, and cost, ever more.
  let pending = 0
  const counted = Readable.from(bounded(text, (length) => (pending += length)))
  papa.parse<string[]>(counted, {
    skipEmptyLines: true,
    chunk: ({ data, errors }, current) => {
      if (data.length > 0) pending = 0
      if (pieces.push({ data, errors })) return
      current.pause()
      parser = current
    },
    complete: () => pieces.push(null),
    error: (error) => pieces.destroy(error),
  })
  try {
    for await (const { data, errors } of pieces as AsyncIterable<Piece>) {
      const isOpen = errors.some(({ code }) => code === 'MissingQuotes')
      // What was open may hold nothing yet, and is left out then.
      const lines = isOpen && data.length === 0 ? [[]] : data
      for (const [index, cells] of lines.entries()) yield { cells, isOpen: isOpen && index === lines.length - 1 }
    }
  } finally {
    counted.destroy()
  }
}

/** A line break is never cut in two: the parser would take its halves for two. */
async function* bounded(text: AsyncIterable<string>, add: (length: number) => number): AsyncGenerator<string, void> {
  let held = ''
  for await (const piece of text) {
    if (add(piece.length) > longestRow) throw tooLong()
    const whole = held + piece
    held = whole.endsWith('\r') ? '\r' : ''
    const ready = whole.slice(0, whole.length - held.length)
    if (ready !== '') yield ready
  }
  if (held !== '') yield held
}
