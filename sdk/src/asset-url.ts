/** URLs of files and their transformations. */
import { serializeQuery } from './serialize-query.ts'
import type { Step } from './types/transform.ts'

/** Presets that every project has. */
type SystemPreset = `system-${'small' | 'medium' | 'large'}-${'cover' | 'contain'}`

type AnyName = string & { readonly [K in never]: never }

type Fit = 'cover' | 'contain' | 'inside' | 'outside'

/** A transformation of an image. Parameters override those of a preset. */
export type Transform = {
  readonly key?: SystemPreset | AnyName
  readonly width?: number
  readonly height?: number
  readonly fit?: Fit
  readonly format?: 'auto' | 'jpg' | 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif'
  /** 1 to 100. */
  readonly quality?: number
  readonly withoutEnlargement?: boolean
  /** The focal point in pixels of the source; cropping keeps it visible. */
  readonly focalPoint?: { readonly x: number; readonly y: number }
  /** Operations applied in this order, before format and size. */
  readonly transforms?: readonly Step[]
}

export type AssetOptions = {
  /** File name at the end of the URL; browsers save the file under it. */
  readonly filename?: string
  /** Whether browsers save the file instead of showing it. */
  readonly download?: boolean
  /** Token in the URL, for pages that cannot send a header. Anyone who sees the URL can use the token. */
  readonly token?: string
}

/** The URL of a file of the current generation, optionally transformed. */
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

/** A thumbnail of the legacy generation: a key or a size that the project allows. */
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

/** The URL of a file of the legacy generation, by its `private_hash`. */
export function legacyAssetUrl(url: string, project: string, hash: string, transform?: LegacyTransform): string {
  const path = `${encodeURIComponent(project)}/assets/${encodeURIComponent(hash)}`
  return withQuery(`${url.replace(/\/+$/, '')}/${path}`, transform ?? {})
}

function withQuery(address: string, query: object): string {
  const text = serializeQuery(query, 'json')
  return text === '' ? address : `${address}?${text}`
}
