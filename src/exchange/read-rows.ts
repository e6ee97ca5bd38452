import { parseExactly } from '../domain/conditions/exact-numbers.ts'
import { firstRepeated } from '../domain/schema/repeated.ts'
import { fromCell } from './cells.ts'
import { csvLines } from './csv-lines.ts'
import { type Bytes, FileFault, longestRow, textOf, tooLong } from './file-text.ts'

/** Limit of columns in one file. */
const mostColumns = 400

/** A row of a file. In CSV all values are text, and empty cells are absent. */
export type ReadRow = { readonly [field: string]: unknown }

export const readableFormats = { csv: readCsv, json: readJson } as const

export type ReadableFormat = keyof typeof readableFormats

/** Reads CSV by RFC 4180 with a header, and removes the apostrophes that escape formulas. */
async function* readCsv(source: Bytes): AsyncGenerator<ReadRow, void> {
  let names: readonly string[] | null = null
  let row = 0
  for await (const { cells, fault } of csvLines(textOf(source))) {
    if (fault !== null) throw new FileFault(names === null ? 0 : row + 1, fault)
    if (names === null) {
      names = cells.map((cell) => fromCell(cell).trim())
      assertHeader(names)
      continue
    }
    row += 1
    if (cells.length > names.length)
      throw new FileFault(row, `Expected ${names.length} cells but received ${cells.length}`)
    yield toRow(names, cells)
  }
}

function assertHeader(names: readonly string[]): void {
  if (names.length > mostColumns)
    throw new FileFault(0, `Expected at most ${mostColumns} columns but received ${names.length}`)
  const twice = firstRepeated(names)
  if (twice !== undefined) throw new FileFault(0, `Expected each column once but received "${twice}" twice`)
  if (names.includes('')) throw new FileFault(0, 'Expected a name for each column')
}

const toRow = (names: readonly string[], cells: readonly string[]): ReadRow =>
  Object.fromEntries(names.flatMap((name, index) => (cells[index] ? [[name, fromCell(cells[index])] as const] : [])))

async function* readJson(source: Bytes): AsyncGenerator<ReadRow, void> {
  let row = 0
  for await (const text of elementsOf(source)) {
    row += 1
    const value = parseElement(text, row)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new FileFault(row, 'Expected an object for each row')
    const columns = Object.keys(value).length
    if (columns > mostColumns)
      throw new FileFault(row, `Expected at most ${mostColumns} columns but received ${columns}`)
    yield value as ReadRow
  }
}

function parseElement(text: string, row: number): unknown {
  try {
    return parseExactly(text)
  } catch (cause) {
    throw new FileFault(row, 'Expected JSON', { cause })
  }
}

/** Splits a JSON list into the texts of its elements by brackets and quotes. Each element is parsed separately. */
async function* elementsOf(source: Bytes): AsyncGenerator<string, void> {
  const state = { depth: 0, quoted: false, escaped: false, ended: false, follows: false, text: '' }
  let count = 0
  for await (const chunk of textOf(source)) {
    const elements = takeElements(state, chunk)
    count += elements.length
    yield* elements
  }
  if (!state.ended) throw new FileFault(count, 'Expected a complete list of objects')
}

/** State of the scanner. `follows`: a comma has been read. */
type JsonScan = { depth: number; quoted: boolean; escaped: boolean; ended: boolean; follows: boolean; text: string }

function takeElements(state: JsonScan, chunk: string): readonly string[] {
  const elements: string[] = []
  let start = 0
  for (let at = 0; at < chunk.length; at += 1) {
    const wasIn = state.depth
    step(state, chunk.charAt(at))
    if (wasIn === 0) start = at + 1
    const isEnd = state.ended || (state.depth === 1 && !state.quoted && chunk.charAt(at) === ',')
    if (!isEnd || wasIn === 0) continue
    const text = (state.text + chunk.slice(start, at)).trim()
    if (text !== '' || !state.ended || state.follows) elements.push(text)
    state.follows = true
    state.text = ''
    start = at + 1
    if (state.ended) state.depth = 0
  }
  if (state.depth > 0) state.text += chunk.slice(start)
  if (state.text.length > longestRow) throw tooLong()
  return elements
}

function step(state: JsonScan, character: string): void {
  if (state.quoted) {
    if (state.escaped) state.escaped = false
    else if (character === '\\') state.escaped = true
    else if (character === '"') state.quoted = false
    return
  }
  if (state.depth === 0 && (state.ended || character !== '[')) {
    if (character.trim() === '') return
    throw new FileFault(0, 'Expected a list of objects')
  }
  if (character === '"') state.quoted = true
  else if (character === '[' || character === '{') state.depth += 1
  else if (character === ']' || character === '}') {
    state.depth -= 1
    if (state.depth === 0) state.ended = true
  }
}
