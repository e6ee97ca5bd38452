import { expect, test } from 'vitest'
import { readTables } from './catalog.ts'

test('every column that is read from the catalog is named, because MySQL 8 writes the others in capitals', async () => {
  const asked: string[] = []
  await readTables(async (text) => {
    asked.push(text)
    return []
  }, 'shop')
  const columns = asked.flatMap((text) => (/^select (.+?)(?:\s+from\s|$)/s.exec(text)?.[1] ?? '').split(/,\s*/))
  expect(asked).toHaveLength(6)
  expect(columns.filter((column) => !/ as \w+$/.test(column))).toEqual([])
})
