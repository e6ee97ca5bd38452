import { Readable } from 'node:stream'
import { array, assert, asyncProperty, constant, integer, jsonValue, record, string } from 'fast-check'
import { expect, test } from 'vitest'
import { type ReadableFormat, readableFormats } from './read-rows.ts'
import { openRows } from './rows.ts'

async function read(format: ReadableFormat, text: string, size = text.length || 1): Promise<readonly unknown[]> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, at * size + size),
  )
  const rows: unknown[] = []
  for await (const row of readableFormats[format](Readable.from(chunks, { objectMode: false }))) rows.push(row)
  return rows
}

test('csv has a header; empty cells are absent, guarded formulas themselves', async () => {
  const text = '\uFEFFid,title,body\r\n1,"a, ""b""\nc",\r\n\r\n2,\'=1+1,é\r\n3\r\n'
  const rows = [{ id: '1', title: 'a, "b"\nc' }, { id: '2', title: '=1+1', body: 'é' }, { id: '3' }]
  expect(await read('csv', text)).toEqual(rows)
  expect(await read('csv', text, 20)).toEqual(rows)
})

test('json is a list of objects, however it is cut', async () => {
  const text = ' [ {"a": "],[{\\"", "b": [1, {"c": 2}]} , {}\n] '
  const rows = [{ a: '],[{"', b: [1, { c: 2 }] }, {}]
  expect(await read('json', text)).toEqual(rows)
  expect(await read('json', text, 1)).toEqual(rows)
  expect(await read('json', '[]')).toEqual([])
})

test('rows written as json are read unchanged', async () => {
  await assert(
    asyncProperty(
      array(record({ id: constant(1), value: jsonValue() })),
      integer({ min: 1, max: 9 }),
      async (rows, size) => {
        const writer = openRows('json', [])
        const text = writer.page(rows) + writer.end()
        expect(await read('json', text, size)).toEqual(JSON.parse(JSON.stringify(rows)))
      },
    ),
    { numRuns: 50 },
  )
})

test.for([
  ['csv', 'a,a\n1,2', 0],
  ['csv', 'a,\n1,2', 0],
  ['csv', 'a\n1\n1,2', 2],
  ['csv', 'a,b\n1,2\n3,"4', 2],
  ['csv', 'a,"b\n1,2\n', 0],
  ['csv', '"', 0],
  ['csv', 'a,b\n1,2\n3,"4"5\n', 2],
  ['csv', '"a"b\n1\n', 0],
  ['json', '[{"a":1}, ]', 2],
  ['json', '[,]', 1],
  ['json', '', 0],
  ['json', '{"a":1}', 0],
  ['json', '[{"a":1}', 0],
  ['json', '[{"a":1},', 1],
  ['json', '[{"a":1}] x', 0],
  ['json', '[{"a":1},2]', 2],
  ['json', '[{"a":1},{a:1}]', 2],
  ['json', '[{"a":1},,{}]', 2],
  ['json', '[{"a":1}}]', 0],
] as const)('%s %j is refused at row %i', async ([format, text, row]) => {
  await expect(read(format, text)).rejects.toMatchObject({ name: 'FileFault', row })
})

test.for([
  ['csv', Buffer.from('a\ncaf\xe9\n', 'latin1')],
  ['csv', Buffer.from('\uFEFFa\nb\n', 'utf16le')],
  ['csv', Buffer.from('a\ncafé').subarray(0, -1)],
  ['json', Buffer.from('[{"a":"caf\xe9"}]', 'latin1')],
] as const)('%s in another encoding is refused: %o', async ([format, bytes]) => {
  const rows = readableFormats[format](Readable.from([bytes], { objectMode: false }))
  await expect(drain(rows)).rejects.toMatchObject({ name: 'FileFault', message: 'Expected text in UTF-8' })
})

test.for(['csv', 'json'] as const)('a row of %s that never ends is not gathered', async (format) => {
  let pieces = 0
  const endless = function* () {
    yield Buffer.from(format === 'csv' ? 'a\n"' : '[{"a":"')
    for (; pieces < 1000; pieces += 1) yield Buffer.alloc(65_536, 'x')
  }
  const rows = readableFormats[format](Readable.from(endless(), { objectMode: false }))
  await expect(drain(rows)).rejects.toMatchObject({
    name: 'FileFault',
    message: 'Expected at most 2000000 characters for a row but received more',
  })
  expect(pieces).toBeLessThan(200)
})

test('rows written as csv are read unchanged, however the text is divided', async () => {
  const text = string({ unit: 'grapheme', minLength: 1 }).filter((each) => !/[\r\uFEFF]/.test(each))
  await assert(
    asyncProperty(array(record({ id: text, value: text })), integer({ min: 16, max: 40 }), async (rows, size) => {
      const writer = openRows('csv', [['id'], ['value']])
      const written = writer.page(rows) + writer.end()
      expect(await read('csv', written, size)).toEqual(rows)
    }),
    { numRuns: 100 },
  )
})

const failing = () =>
  new Readable({
    read() {
      this.destroy(new Error('gone'))
    },
  })

const drain = async (rows: AsyncIterable<unknown>) => {
  for await (const row of rows) expect(row).toBeDefined()
}

test('a source that fails fails the rows', async () => {
  await expect(drain(readableFormats.csv(failing()))).rejects.toThrow('gone')
  await expect(drain(readableFormats.json(failing()))).rejects.toThrow('gone')
})

const header = (count: number): string => Array.from({ length: count }, (_, at) => `c${at}`).join(',')

test.for([
  ['csv', header(200_000), 0, 200_000],
  ['csv', `${header(401)}\n1`, 0, 401],
  [
    'json',
    `[{"a":1},${JSON.stringify(
      Object.fromEntries(
        header(100_000)
          .split(',')
          .map((name) => [name, 1]),
      ),
    )}]`,
    2,
    100_000,
  ],
] as const)('%s with too many columns is refused', async ([format, text, row, count]) => {
  const message = `Expected at most 400 columns but received ${count}`
  await expect(read(format, text, 65_536)).rejects.toMatchObject({ name: 'FileFault', row, message })
})

test('csv is read whatever separates its cells and lines, with spaces after quotes and quotes within text', async () => {
  const rows = [
    { 'a,b': 'x', c: '5" pipe' },
    { 'a,b': '"', c: 'z' },
  ]
  for (const separator of [';', '\t', '|'])
    for (const line of ['\n', '\r', '\r\n'])
      for (const size of [200, 16]) {
        const text = ['', '"a,b" ;c', '"x"  ;5" pipe', '', '"""";z', ''].join(line)
        expect(await read('csv', text.replaceAll(';', separator), size)).toEqual(rows)
      }
})

test('many quotes before many spaces are read in linear time', async () => {
  const quotes = '""'.repeat(400_000)
  const spaces = ' '.repeat(400_000)
  const rows = [{ a: quotes.slice(400_000) + spaces, b: '1' }]
  expect(await read('csv', `a,b\n"${quotes}${spaces}",1\n`, 65_536)).toEqual(rows)
  await expect(read('csv', `a\n"${'a"b'.repeat(300_000)}${spaces},"\n`, 65_536)).rejects.toMatchObject({ row: 1 })
})

test('csv with 400 columns is read', async () => {
  const [row] = await read('csv', `${header(400)}\n${'1,'.repeat(399)}1`)
  expect(Object.keys(row as object)).toEqual(header(400).split(','))
})

test('a line longer than several chunks is read whole, between others', async () => {
  const long = `"${'a,\nb""'.repeat(50_000)}"`
  const rows = [{ a: 'x' }, { a: 'a,\nb"'.repeat(50_000) }, { a: 'y' }, { a: 'z' }]
  expect(await read('csv', `a\nx\n${long}\ny\nz\n`, 65_536)).toEqual(rows)
})
