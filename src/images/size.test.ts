import { expect, test } from 'vitest'
import type { Transform } from '../domain/ports/images.ts'
import { resultSize } from './size.ts'

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
  expect(resultSize({ width: 3, height: 2 }, { ...plain, ...wish })).toEqual({ width, height })
})
