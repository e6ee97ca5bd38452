import { expect, test } from 'vitest'
import type { Field } from '../../model/model.ts'
import { columnsOfFile, fieldFor, headerOf } from './import-columns.ts'

test.each([
  ['id,name\n1,2', ['id', 'name']],
  ['id;"a;b";c\r\n', ['id', 'a;b', 'c']],
  ['"a ""b""",\tx', ['a "b"', 'x']],
  ['one\ttwo, too\tmore\n', ['one', 'two, too', 'more']],
  ['"two\nlines"|x', ['two\nlines', 'x']],
  ['', []],
])('the header of %j', (text, cells) => expect(headerOf(text)).toEqual(cells))

test('JSON has the columns of all of its items', async () => {
  const file = new File([JSON.stringify([{ a: 1 }, { b: 2, a: 3 }])], 'rows.json')
  expect(await columnsOfFile(file)).toEqual(['a', 'b'])
})

test('a column is for the field of its name, path or label', () => {
  const fields = ['name', 'date_created', 'author'].map((field) => ({ field, type: 'string' }) as unknown as Field)
  const found = ['name', 'NAME', 'Date created', 'author.name', 'other'].map((column) => fieldFor(column, fields))
  expect(found).toEqual(['name', 'name', 'date_created', 'author.name', null])
})
