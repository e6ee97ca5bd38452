import { expect, test } from 'vitest'
import type { Transform } from '../domain/ports/images.ts'
import { focalCrop, resultSize } from './size.ts'

const plain: Transform = {
  width: null,
  height: null,
  fit: 'cover',
  quality: null,
  format: null,
  withoutEnlargement: false,
  focalPoint: null,
  steps: [],
}

test.each<[string, Partial<Transform>, readonly [number, number]]>([
  ['a width', { width: 2 }, [2, 2]],
  ['a height', { height: 1 }, [2, 1]],
  ['a box inside', { width: 2, height: 2, fit: 'inside' }, [2, 2]],
  ['a box outside', { width: 2, height: 2, fit: 'outside' }, [3, 2]],
  ['a step', { steps: [{ name: 'resize', args: [2] }] }, [2, 2]],
])('the size of a result is never estimated too small: %s', (_, wish, [width, height]) => {
  expect(resultSize({ width: 3, height: 2 }, { ...plain, ...wish }, null)).toEqual({ width, height })
})

test('a crop fills its box although the scale is not exact', () => {
  const focus = { point: { x: 80, y: 80 }, withoutEnlargement: false }
  // 161 * (100 / 161) is less than 100.
  expect(focalCrop({ width: 161, height: 161 }, { width: 100, height: 100 }, focus)).toEqual({
    resize: { width: 100, height: 100 },
    extract: { left: 0, top: 0, width: 100, height: 100 },
  })
})

test.each([
  ['left', { width: 200, height: 100 }, { x: 101.4, y: 50 }, { left: 26, top: 0 }],
  ['top', { width: 100, height: 200 }, { x: 50, y: 101.4 }, { left: 0, top: 26 }],
])('a crop begins at the nearest pixel: %s', (_, source, point, place) => {
  const box = { width: 50, height: 50 }
  expect(focalCrop(source, box, { point, withoutEnlargement: false }).extract).toEqual({ ...box, ...place })
})
