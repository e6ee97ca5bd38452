/** What a client wants of a file, and what the settings of the project make of it. */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import {
  type ImageFit,
  type ImageFormat,
  imageFits,
  imageFormats,
  type Step,
  type Transform,
} from '../domain/images.ts'
import { formatOf, formatOfStep, parseSteps } from '../images/operations.ts'
import type { FileRow } from './file-row.ts'

/** Single parameters; absent ones were not given. `transforms` is still unchecked. */
export type AssetParameters = {
  readonly width?: number
  readonly height?: number
  readonly fit?: ImageFit
  readonly withoutEnlargement?: boolean
  readonly format?: ImageFormat | 'jpg' | 'auto'
  readonly quality?: number
  readonly focalPointX?: number
  readonly focalPointY?: number
  readonly transforms?: unknown
}

/** `key` names a preset; `accept` is what the client says that it can show; `presets` are allowed as the system's are. */
export type AssetWish = {
  readonly key: string | null
  readonly own: AssetParameters
  readonly accept: string
  readonly presets?: AssetPresets
  /** Formats of files → what they become where no format is asked for; those that stand here are transformed too. */
  readonly instead?: ReadonlyMap<string, ImageFormat>
}

/** Parameters by the key that stands for them. */
export type AssetPresets = ReadonlyMap<string, AssetParameters>

const system = (side: number, height: boolean): AssetParameters =>
  height ? { width: side, height: side, fit: 'cover', format: 'auto' } : { width: side, fit: 'contain', format: 'auto' }

/** Presets that every project has and that are always allowed. */
const systemPresets: AssetPresets = new Map([
  ['system-small-cover', system(64, true)],
  ['system-small-contain', system(64, false)],
  ['system-medium-cover', system(300, true)],
  ['system-medium-contain', system(300, false)],
  ['system-large-cover', system(800, true)],
  ['system-large-contain', system(800, false)],
])

/** `negotiated`: another client might get another format. */
export type AskedTransform = { readonly transform: Transform; readonly negotiated: boolean }

/** Null when nothing is wanted but the file. Throws `invalid-query` for what is not allowed or no good. */
export function toTransform(ctx: Context, wish: AssetWish, file: FileRow): AskedTransform | null {
  if (wish.key === null && Object.keys(wish.own).length === 0) return null
  const asked = withPreset(wish, file)
  checkParameters(ctx, asked)
  const steps = parseSteps(asked.transforms === undefined ? [] : asked.transforms, ctx.images.limits.maxSteps)
  const stated = steps.findLast((step) => formatOfStep(step) !== null)
  const source = sourceFormat(file.type)
  const transform = {
    width: asked.width ?? null,
    height: asked.height ?? null,
    fit: asked.fit ?? 'cover',
    withoutEnlargement: asked.withoutEnlargement ?? false,
    format: toFormat(asked.format, wish.accept, stated === undefined ? source : null) ?? instead(wish, file, stated),
    quality: asked.quality ?? null,
    focalPoint: focalPointOf(asked, file),
    steps,
  }
  return { transform, negotiated: asked.format === 'auto' }
}

/** What the type of a file says that can be transformed for everybody. */
export function sourceFormat(type: string | null): ImageFormat | null {
  return imageFormats.find((each) => each === formatName(type)) ?? null
}

/** What cannot be transformed, or not for who wishes it, is handed out as it is. */
export const isTransformed = ({ type }: FileRow, wish: AssetWish): boolean =>
  sourceFormat(type) !== null || wish.instead?.has(formatName(type)) === true

/** `png` of `image/png`. */
function formatName(type: string | null): string {
  const [, name = ''] = /^image\/(\w+)$/i.exec(type ?? '') ?? []
  return formatOf(name.toLowerCase())
}

const instead = (wish: AssetWish, { type }: FileRow, stated: Step | undefined): ImageFormat | null =>
  stated === undefined ? (wish.instead?.get(formatName(type)) ?? null) : null

function withPreset({ key, own, presets: more }: AssetWish, { transforming }: FileRow): AssetParameters {
  const { mode, presets } = toAssetRules(transforming)
  const alone = Object.keys(own).length === 0
  const [first] = Object.keys(own)
  if (!alone && mode !== 'all') throw refused(first ?? 'transforms', `The project allows ${allowed[mode]}`)
  if (key === null) return own
  const known = systemPresets.get(key) ?? more?.get(key) ?? presets.get(key)
  if (known !== undefined) return { ...known, ...own }
  throw refused('key', `Expected the key of a preset for "key" but received ${JSON.stringify(key.slice(0, 100))}`)
}

const allowed = {
  none: 'no transforms but those of its system presets',
  presets: 'only presets, by "key" alone',
  all: 'everything',
} as const

const refused = (name: string, reason: string): TandemError => new TandemError({ kind: 'invalid-query', name, reason })

/** Which transforms the project allows, and the presets that it allows by their keys: none where `mode` is `none`. */
export type AssetRules = { readonly mode: keyof typeof allowed; readonly presets: AssetPresets }

/** The project's settings for assets. */
export async function readAssetRules({ db }: Context): Promise<AssetRules> {
  const text = `select storage_asset_transform, storage_asset_presets from platform_settings order by id limit 1`
  const { rows } = await db.run({ text, values: [], name: 'asset-settings', rows: 'array' })
  return toAssetRules((rows as readonly FileRow['transforming'][])[0] ?? [])
}

function toAssetRules([set, json]: FileRow['transforming']): AssetRules {
  const mode = set === 'none' || set === 'presets' ? set : 'all'
  const stored = json == null ? null : (JSON.parse(json) as unknown)
  const listed = (Array.isArray(stored) ? stored : []) as readonly unknown[]
  const records = listed.filter((each) => typeof each === 'object' && each !== null) as Record<string, unknown>[]
  // Of two presets with one key the first counts.
  const named = records.toReversed().map((each) => [String(each['key']), toPreset(each)] as const)
  return { mode, presets: new Map(mode === 'none' ? [] : named) }
}

/** Stored presets were written by hand: empty values are none. */
function toPreset(found: Record<string, unknown>): AssetParameters {
  const names = ['width', 'height', 'fit', 'withoutEnlargement', 'format', 'quality', 'transforms'] as const
  return Object.fromEntries(
    names.flatMap((name) => (found[name] == null || found[name] === '' ? [] : [[name, found[name]] as const])),
  )
}

/** Of a request the spec has checked most of it; of a preset nobody has checked anything. */
function checkParameters(ctx: Context, asked: AssetParameters): void {
  const { maxOutputDimension } = ctx.images.limits
  for (const name of ['width', 'height'] as const) checkInteger(name, asked[name], [1, maxOutputDimension])
  for (const name of ['focalPointX', 'focalPointY'] as const) checkInteger(spelling[name], asked[name], [0, 1e6])
  checkInteger('quality', asked.quality, [1, 100])
  checkWord('fit', asked.fit, imageFits)
  checkWord('format', asked.format, ['auto', 'jpg', ...imageFormats, 'gif'])
}

const spelling = { focalPointX: 'focal_point_x', focalPointY: 'focal_point_y' } as const

function checkInteger(name: string, value: unknown, [min, max]: readonly [number, number]): void {
  const fits = value === undefined || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
  if (!fits) throw refused(name, `Expected an integer from ${min} to ${max} for "${name}" but received ${show(value)}`)
}

function checkWord(name: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.includes(value as string)) return
  throw refused(name, `Expected one of ${words.join(', ')} for "${name}" but received ${show(value)}`)
}

const show = (value: unknown): string => JSON.stringify(value).slice(0, 100)

function toFormat(asked: AssetParameters['format'], accept: string, source: ImageFormat | null): ImageFormat | null {
  if (asked === undefined) return null
  if (asked !== 'auto') return formatOf(asked)
  if (shows(accept, 'image/avif')) return 'avif'
  if (shows(accept, 'image/webp')) return 'webp'
  return source === 'avif' || source === 'webp' || source === 'tiff' ? 'png' : null
}

/** Whether a client says that it can show the type: a weight of 0 says that it cannot. */
const shows = (accept: string, type: string): boolean =>
  accept.split(',').some((range) => {
    const [name, ...weights] = range.toLowerCase().split(';')
    return name?.trim() === type && !weights.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each))
  })

function focalPointOf(asked: AssetParameters, file: FileRow): Transform['focalPoint'] {
  const x = asked.focalPointX ?? file.focal_point_x
  const y = asked.focalPointY ?? file.focal_point_y
  return x === null || y === null ? null : { x, y }
}
