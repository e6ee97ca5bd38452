import { expect, test } from 'vitest'
import { castList, placeIn } from './types.ts'

test('rows are ordered by a list of keys that is read once, not once for each row', () => {
  const list = castList('$1', { type: 'integer', dataType: 'int' })
  const { sql, join } = placeIn('t0."id"', list, 't0p')
  expect(sql).toBe('t0p.n')
  expect(join).toMatch(/^ left join \(select .* group by 1\) t0p on t0p\.v = t0\."id"$/)
})
