import { expect, test } from 'vitest'
import type { WriteText } from '../dialect.ts'
import { byKeyText } from './found-rows.ts'
import { castList, placeIn } from './lists.ts'
import { writes } from './writes.ts'

const uuid = { type: 'uuid', dataType: 'uuid' } as const

const plan: WriteText = {
  table: 'notes',
  alias: 't0',
  columns: [{ column: 'views', name: 'views', type: { type: 'text', dataType: 'text' } }],
  keys: [{ column: 'id', name: 'id', type: uuid, preset: null }],
  journal: null,
  history: null,
  counted: [],
  events: null,
}

test('rows are ordered by a list of keys that is read once, not once for each row', () => {
  const column = { type: 'integer', dataType: 'int' } as const
  const { sql, join } = placeIn('t0."id"', castList('$1', column), { column, alias: 't0p' })
  expect(sql).toBe('t0p.n')
  expect(join).toMatch(/^ left join \(select .* group by 1, 2\) t0p on t0p\.h = t0\."id" and t0p\.v = t0\."id"$/)
})

test('texts, for which the server makes no index, are found by their hashes', () => {
  const { join } = placeIn('t0."id"', castList('$1', uuid), { column: uuid, alias: 't0p' })
  expect(join).toContain(') t0p on t0p.h = crc32(lower(t0."id")) and t0p.v = t0."id"')
  const written = writes.update(plan, { rows: '$1', match: null, where: '' })
  expect(written).toContain(' f on f.h = crc32(lower(cast(t0.id as char))) and f.v = cast(t0.id as char) set ')
})

test('a key of a column that folds case is looked up as the index compares it', () => {
  const keys = [
    { column: 'id', name: 'id', type: { type: 'uuid', dataType: 'char', folds: true }, preset: null },
  ] as const
  expect(byKeyText({ ...plan, keys }, 'k.v')).toBe(
    'notes t0 on t0.id = json_unquote(json_quote(k.v)) and cast(t0.id as char) = k.v',
  )
})

test('keys of another character set are looked up in that of their column', () => {
  const list = castList('$1', { type: 'uuid', dataType: 'char' })
  expect(list).toMatch(/^\(select json_unquote\(json_quote\(j\.v\)\) from json_table\(/)
})
