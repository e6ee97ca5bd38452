/**
 * Cells of CSV files. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe, which is
 * removed again on reading. Numbers are not formulas, even if they are written as text.
 */

/** The value of a cell. Null is an empty cell; an empty text is a quoted one. */
export type Cell = string | number | boolean | null

const formula = /^'*[=+\-@\t\r\n]/
const guardedFormula = /^'+[=+\-@\t\r\n]/
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Converts a JSON value to a cell. Lists and objects become JSON text.
 * @example toCell('=1+1') // "'=1+1"
 */
export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return JSON.stringify(value)
  return formula.test(value) && !plainNumber.test(value) ? `'${value}` : value
}

/**
 * Reverses `toCell` for text.
 * @example fromCell("'=1+1") // '=1+1'
 */
export const fromCell = (text: string): string => (guardedFormula.test(text) ? text.slice(1) : text)
