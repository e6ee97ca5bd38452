import { assert, constantFrom, property, string } from 'fast-check'
import papa from 'papaparse'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fromCell, toCell } from './cells.ts'
import type { RowFormat } from './formats.ts'
import { type Column, openRows, type Rows } from './rows.ts'
import { toElement, toXmlName } from './xml.ts'

const columns: readonly Column[] = [['id'], ['title'], ['author', 'name'], ['tags']]
const rows: Rows = [
  { id: 1, title: 'a, "b"\nc', author: { name: 'Ann' }, tags: ['x', 'y'] },
  { id: 2, title: '', author: null, tags: [] },
]

function written(format: RowFormat, pages: readonly Rows[]): string {
  const writer = openRows(format, columns)
  return pages.map((page) => writer.page(page)).join('') + writer.end()
}

test('csv has a column per nested value, quotes texts and tells the empty text from null', () => {
  expect(written('csv', [rows])).toBe(
    '"id","title","author.name","tags"\r\n1,"a, ""b""\nc","Ann","[""x"",""y""]"\r\n2,"",,"[]"\r\n',
  )
})

test('csv_utf8 begins with a byte order mark, also without rows', () => {
  expect(written('csv_utf8', [rows, rows])).toBe(`\uFEFF${written('csv', [rows, rows])}`)
  expect(written('csv_utf8', [])).toBe('\uFEFF"id","title","author.name","tags"\r\n')
})

test('json is the list itself, indented by tabs', () => {
  expect(written('json', [[{ id: 1 }], [{ id: 2 }]])).toBe('[\n\t{\n\t\t"id": 1\n\t},\n\t{\n\t\t"id": 2\n\t}\n]\n')
})

test('xml has an element per row and repeats the elements of lists', () => {
  expect(written('xml', [[{ id: 1, name: null, tags: ['a<b', 'c'] }]])).toBe(
    "<?xml version='1.0'?>\n<data>\n<data>\n\t<id>1</id>\n\t<name/>\n\t<tags>a&lt;b</tags>\n\t<tags>c</tags>\n</data>\n</data>\n",
  )
})

test('yaml reads back as it was', () => {
  expect(parse(written('yaml', [rows, rows]))).toEqual([...rows, ...rows])
})

test.for([
  ['csv', '"id","title","author.name","tags"\r\n'],
  ['json', '[]\n'],
  ['xml', "<?xml version='1.0'?>\n<data>\n</data>\n"],
  ['yaml', '[]\n'],
] as const)('without rows %s is whole all the same', ([format, text]) => {
  expect(written(format, [])).toBe(text)
  expect(written(format, [[]])).toBe(text)
})

test.for(['json', 'csv', 'xml', 'yaml'] as const)('%s does not depend on how the rows are cut into pages', (format) => {
  expect(written(format, [[rows[0] ?? {}], [], [rows[1] ?? {}]])).toBe(written(format, [rows]))
})

test.for([
  ['=1+1', "'=1+1"],
  ["'=1", "''=1"],
  ['@a', "'@a"],
  ['-2.5e3', '-2.5e3'],
  ['+49 30', "'+49 30"],
  ["it's", "it's"],
] as const)('the cell of %j is %j', ([text, cell]) => {
  expect(toCell(text)).toBe(cell)
})

test('any text comes back out of its cell, and no cell but a number begins like a formula', () => {
  assert(
    property(string({ unit: constantFrom('=', '+', '-', "'", '@', '\t', '1', 'a', '"', ',', '\n') }), (text) => {
      const cell = String(toCell(text))
      expect(fromCell(cell)).toBe(text)
      if (/^[=+\-@\t\n]/.test(cell)) expect(Number.isNaN(Number(cell))).toBe(false)
      const parsed = papa.parse<string[]>(`${papa.unparse([[cell]], { quotes: true })}\r\n`).data
      expect(parsed[0]?.[0]).toBe(cell)
    }),
  )
})

test('a name that XML cannot hold is encoded', () => {
  expect(toXmlName('2nd part')).toBe('_x0032_nd_x0020_part')
  expect(toElement('data', { '@': { '#': 'x\u0001' } })).toBe(
    '<data>\n\t<_x0040_>\n\t\t<_x0023_>x\ufffd</_x0023_>\n\t</_x0040_>\n</data>',
  )
})
