import { describe, expect, test } from 'vitest'
import type { AssetRules } from '../../core/assets/asset-options.ts'
import { sizesOf, toAssetOptions } from './sizes.ts'

const presets = new Map([['card', { width: 30, height: 20, fit: 'cover', quality: 70 }]] as const)
const everything: AssetRules = { mode: 'all', presets }
const listed: AssetRules = { mode: 'presets', presets }
const ownAlone: AssetRules = { mode: 'none', presets: new Map() }

test('a key names a size of the server or of the project', () => {
  expect(toAssetOptions({ key: 'card' }, listed, 100)).toMatchObject({ key: 'card', own: {} })
  expect(toAssetOptions({ key: 'platform-small-crop', w: 3 }, ownAlone, 100)).toMatchObject({
    key: 'platform-small-crop',
    own: {},
  })
  expect(toAssetOptions({ key: 'acme-large-contain' }, ownAlone, 100).key).toBe('platform-large-contain')
  expect(() => toAssetOptions({ key: 'acme-huge-crop' }, ownAlone, 100)).toThrow('unprocessable')
  expect([...sizesOf(listed).keys()]).toHaveLength(7)
  expect(() => toAssetOptions({ key: 'card' }, ownAlone, 100)).toThrow('unprocessable')
})

test('crop fills both sides, contain keeps the whole image', () => {
  const own = { width: 8, height: 4, quality: 50 }
  const size = { w: 8, h: 4, q: 50 }
  expect(toAssetOptions({ ...size, f: 'crop' }, everything, 100).own).toEqual({ ...own, fit: 'cover' })
  expect(toAssetOptions({ ...size, f: 'contain', format: 'webp' }, everything, 100).own).toEqual({
    ...own,
    fit: 'inside',
    format: 'webp',
  })
  expect(toAssetOptions({ q: 50 }, everything, 100).own).toEqual({ quality: 50 })
  expect(toAssetOptions({}, ownAlone, 100)).toMatchObject({ key: null, own: {}, accept: '' })
})

test('a preset with contain adds no bars, whether requested by key or by size', () => {
  const banner = { width: 30, height: 30, fit: 'contain', quality: 70 } as const
  const rules: AssetRules = { mode: 'presets', presets: new Map([['banner', banner]]) }
  for (const size of [{ key: 'banner' }, { w: 30, h: 30, f: 'contain', q: 70 }] as const) {
    const options = toAssetOptions(size, rules, 100)
    expect([options.key, options.presets?.get('banner')]).toEqual(['banner', { ...banner, fit: 'inside' }])
  }
})

describe('where only presets are allowed', () => {
  test.each([
    [{ w: 30, h: 20, f: 'crop', q: 70 }, 'card'],
    [{ w: 64, h: 64, f: 'contain', q: 80 }, 'platform-small-contain'],
    [{ w: 800, h: 600, f: 'crop', q: 80 }, 'platform-large-crop'],
  ] as const)('%j is one', (asked, key) => {
    expect(toAssetOptions(asked, listed, 1000).key).toBe(key)
  })

  test.each([
    { w: 31, h: 20, f: 'crop', q: 70 },
    { w: 30, h: 20, f: 'contain', q: 70 },
    { w: 30, h: 20, f: 'crop', q: 71 },
    { w: 30, h: 20, f: 'crop' },
    { w: 30, h: 20, f: 'crop', q: 70, format: 'webp' },
    { format: 'webp' },
  ] as const)('%j is none', (asked) => {
    expect(() => toAssetOptions(asked, listed, 1000)).toThrow('unprocessable')
  })
})

test('sides beyond the limit are refused under the parameter name of the request', () => {
  expect(() => toAssetOptions({ h: 101 }, everything, 100)).toThrow(
    expect.objectContaining({ failures: [expect.objectContaining({ name: 'h' })] }) as Error,
  )
})
