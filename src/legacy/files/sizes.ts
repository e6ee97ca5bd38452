/** Image sizes: this generation's own, and presets of the project with both width and height. */

import {
  type AssetOptions,
  type AssetParameters,
  type AssetPresets,
  type AssetRules,
} from '../../core/assets/asset-options.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { systemSizes } from '../model/known-settings.ts'

/** The fit of a size, which adds no bars in this generation. */
const fitOf = (fit: 'crop' | 'contain' | undefined): 'cover' | 'inside' => (fit === 'crop' ? 'cover' : 'inside')

const ownSizes: AssetPresets = new Map(systemSizes.map(({ key, fit, ...size }) => [key, { ...size, fit: fitOf(fit) }]))

export type SizeParameters = {
  readonly key?: string | undefined
  readonly w?: number | undefined
  readonly h?: number | undefined
  readonly f?: 'contain' | 'crop' | undefined
  readonly q?: number | undefined
  readonly format?: 'jpg' | 'jpeg' | 'png' | 'gif' | 'webp' | undefined
}

/** GIFs are transformed and stay GIFs; TIFFs become JPEGs because not every browser shows them. */
const instead: NonNullable<AssetOptions['instead']> = new Map([
  ['gif', 'gif'],
  ['tiff', 'jpeg'],
])

/** All sizes of a project by key. In this generation `contain` adds no bars. */
export const sizesOf = ({ presets }: AssetRules): AssetPresets =>
  new Map([
    ...ownSizes,
    ...[...presets].map(([key, each]) => [key, each.fit === 'contain' ? withoutBars(each) : each] as const),
  ])

const withoutBars = (size: AssetParameters): AssetParameters => ({ ...size, fit: 'inside' })

/**
 * Resolves a size. `most` limits a side in pixels. Throws `unprocessable` for an unknown key and for parameters that
 * the project does not allow.
 */
export function toAssetOptions(sizeParameters: SizeParameters, rules: AssetRules, most: number): AssetOptions {
  for (const name of ['w', 'h'] as const) {
    if ((sizeParameters[name] ?? 0) > most) refuseQuery(name, `an integer from 1 to ${most}`, sizeParameters[name])
  }
  const sizes = sizesOf(rules)
  if (sizeParameters.key !== undefined) {
    const key = sizes.has(sizeParameters.key) ? sizeParameters.key : ownKey(sizeParameters.key)
    if (!sizes.has(key)) throw refused("Key doesn't exist.")
    return named(key, sizes)
  }
  const own = toParameters(sizeParameters)
  if (rules.mode === 'all' || Object.keys(own).length === 0) return { key: null, own, accept: '', instead }
  const [key] = [...sizes].find(([, each]) => isSame(each, own)) ?? []
  if (key === undefined) throw refused("The params don't match the asset whitelist.")
  return named(key, sizes)
}

/** Clients written for other servers use another first word in these keys. */
const ownKey = (key: string): string =>
  key.replace(/^[a-z]{1,50}-(?=(small|medium|large)-(crop|contain)$)/, 'platform-')

const named = (key: string, presets: AssetPresets): AssetOptions => ({ key, own: {}, accept: '', presets, instead })

const refused = (reason: string): TandemError => new TandemError({ kind: 'unprocessable', reason })

function toParameters({ w, h, f, q, format }: SizeParameters): AssetParameters {
  const isSized = w !== undefined || h !== undefined || f !== undefined
  return {
    ...(w === undefined ? {} : { width: w }),
    ...(h === undefined ? {} : { height: h }),
    ...(isSized ? { fit: fitOf(f) } : {}),
    ...(q === undefined ? {} : { quality: q }),
    ...(format === undefined ? {} : { format }),
  }
}

function isSame(assetParameters: AssetParameters, own: AssetParameters): boolean {
  return (
    assetParameters.width === own.width &&
    assetParameters.height === own.height &&
    assetParameters.quality === own.quality &&
    (assetParameters.fit === 'inside') === (own.fit === 'inside') &&
    (own.format === undefined || own.format === assetParameters.format)
  )
}
