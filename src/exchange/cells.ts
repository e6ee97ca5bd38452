/**
 * Cells of CSV files. A text that a spreadsheet would run as a formula gets an apostrophe in front,
 * which reading takes away again; numbers are no formulas, also where they are written as text.
 */

/** What a cell can hold: null is an empty cell, the empty text a quoted one. */
export type Cell = string | number | boolean | null

const formula = /^'*[=+\-@\t\r\n]/
const guardedFormula = /^'+[=+\-@\t\r\n]/
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * A JSON value as a cell; lists and objects as JSON text.
 * @example toCell('=1+1') // "'=1+1"
 */
export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return JSON.stringify(value)
  return formula.test(value) && !plainNumber.test(value) ? `'${value}` : value
}

/**
 * The text that `toCell` was given.
 * @example fromCell("'=1+1") // '=1+1'
 */
export const fromCell = (text: string): string => (guardedFormula.test(text) ? text.slice(1) : text)
