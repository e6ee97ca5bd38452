import type { AssetOptions, AssetParameters } from '../../core/assets/asset-options.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { CurrentAssetsOperations } from '../../generated/current.ts'
import type { HttpRequest } from '../../http/request/request.ts'

type Query = CurrentAssetsOperations['readAsset']['input']['query']

/** Throws `invalid-query` if `transforms` is not JSON. */
export function parseAssetOptions(query: Query, { headers }: Pick<HttpRequest, 'headers'>): AssetOptions {
  const { key = null, width, height, fit, format, quality, withoutEnlargement, transforms } = query
  const own: AssetParameters = {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(fit === undefined ? {} : { fit }),
    ...(format === undefined ? {} : { format }),
    ...(query.animated === undefined ? {} : { animated: isSet(query.animated) }),
    ...(quality === undefined ? {} : { quality }),
    ...(withoutEnlargement === undefined ? {} : { withoutEnlargement: isSet(withoutEnlargement) }),
    ...(query.focal_point_x === undefined ? {} : { focalPointX: query.focal_point_x }),
    ...(query.focal_point_y === undefined ? {} : { focalPointY: query.focal_point_y }),
    ...(transforms === undefined ? {} : { transforms: parseJson(transforms) }),
  }
  return { key, own, accept: typeof headers['accept'] === 'string' ? headers['accept'] : '' }
}

/** A flag counts as set without a value. */
export const isSet = (flag: string | undefined): boolean => flag !== undefined && flag !== 'false' && flag !== '0'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = `Expected a JSON list of lists for "transforms" but received ${JSON.stringify(text.slice(0, 60))}`
    throw new TandemError({ kind: 'invalid-query', name: 'transforms', reason }, { cause })
  }
}
