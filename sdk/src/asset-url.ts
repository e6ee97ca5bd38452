/** Addresses of files and of their transforms. */
import { serializeQuery } from './serialize-query.ts'
import type { Step } from './types/transform.ts'

/** Presets that every project has. */
type SystemPreset = `system-${'small' | 'medium' | 'large'}-${'cover' | 'contain'}`

type AnyName = string & { readonly [K in never]: never }

type Fit = 'cover' | 'contain' | 'inside' | 'outside'

/** What becomes of a picture: of a preset and further members the members win. */
export type Transform = {
  readonly key?: SystemPreset | AnyName
  readonly width?: number
  readonly height?: number
  readonly fit?: Fit
  readonly format?: 'auto' | 'jpg' | 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif'
  /** 1 to 100. */
  readonly quality?: number
  readonly withoutEnlargement?: boolean
  /** Pixels of the source that a cut to both dimensions keeps in view. */
  readonly focalPoint?: { readonly x: number; readonly y: number }
  /** Done in this order, before format and size. */
  readonly transforms?: readonly Step[]
}

export type AssetOptions = {
  /** The address ends in it, and files are saved under it. */
  readonly filename?: string
  /** Saved instead of shown. */
  readonly download?: boolean
  /** For pages that cannot send a header. Whoever sees the address can use it. */
  readonly token?: string
}

/** The address of a file of the current generation, as it is or transformed. */
export function assetUrl(url: string, id: string, transform: Transform = {}, options: AssetOptions = {}): string {
  const { focalPoint, transforms, ...plain } = transform
  const { filename, download, token } = options
  const query = {
    ...plain,
    ...(focalPoint && { focal_point_x: focalPoint.x, focal_point_y: focalPoint.y }),
    ...(transforms && { transforms: JSON.stringify(transforms) }),
    ...(download === true && { download: 'true' }),
    ...(token !== undefined && { access_token: token }),
  }
  const name = filename === undefined ? '' : `/${encodeURIComponent(filename)}`
  return withQuery(`${url.replace(/\/+$/, '')}/assets/${encodeURIComponent(id)}${name}`, query)
}

/** A thumbnail of the legacy generation: a key of the project's list, or a size that the list allows. */
export type LegacyTransform =
  | { readonly key: string }
  | {
      readonly key?: never
      readonly w: number
      readonly h: number
      readonly f?: 'crop' | 'contain'
      /** 1 to 100. */
      readonly q?: number
      readonly format?: 'jpg' | 'jpeg' | 'png' | 'gif' | 'webp'
    }

/** The address of a file of the legacy generation, by the hash that the file has as `private_hash`. */
export function legacyAssetUrl(url: string, project: string, hash: string, transform?: LegacyTransform): string {
  const path = `${encodeURIComponent(project)}/assets/${encodeURIComponent(hash)}`
  return withQuery(`${url.replace(/\/+$/, '')}/${path}`, transform ?? {})
}

function withQuery(address: string, query: object): string {
  const text = serializeQuery(query, 'json')
  return text === '' ? address : `${address}?${text}`
}
