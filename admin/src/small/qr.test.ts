import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toQrCode } from './qr.ts'

/** Read back by another program when this was written: as are all lengths up to 271 bytes. */
const picture = [
  '#######...#.#.#######',
  '#.....#.....#.#.....#',
  '#.###.#.#.#...#.###.#',
  '#.###.#.....#.#.###.#',
  '#.###.#..#.##.#.###.#',
  '#.....#..###..#.....#',
  '#######.#.#.#.#######',
  '........#.#..........',
  '###.#####.#.###...#..',
  '##.#.......#.#.#.#.##',
  '####.####..#.###.####',
  '..####..#..###.##..#.',
  '.#...###.###.###...##',
  '........##....##..#.#',
  '#######.###.#...#..##',
  '#.....#.##....#....##',
  '#.###.#.###.#.##...##',
  '#.###.#....#.#.##..#.',
  '#.###.#.#.##.####.#.#',
  '#.....#.#..###.....#.',
  '#######.####.####..##',
]

const pictureOf = (text: string) => toQrCode(text)?.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))

test('a short text is a small code', () => {
  expect(pictureOf('tandem')).toEqual(picture)
})

test('a longer text is a larger code, up to 271 bytes', () => {
  const largest = pictureOf('a'.repeat(271))
  expect(largest).toHaveLength(57)
  expect(
    createHash('sha256')
      .update(largest?.join('\n') ?? '')
      .digest('hex'),
  ).toBe('74ae3782af25975f772149dbb11df590ac73f8b438072be638ef032d74dfce07')
  expect(toQrCode('a'.repeat(272))).toBeNull()
})
