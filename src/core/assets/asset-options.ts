/** Turns the parameters of an asset request into a transform, under the settings of the project. */

import type { Context } from '../../domain/ports/context.ts'
import {
  type ImageFit,
  type ImageFormat,
  imageFits,
  imageFormats,
  type Step,
  type Transform,
} from '../../domain/ports/images.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { formatOf, formatOfStep, parseSteps } from '../../images/parse-steps.ts'
import { readTransformSettings } from '../../sql/statements/settings.ts'
import type { FileRow } from './file-row.ts'

/** The parameters; absent ones were not given. `transforms` is not validated yet. */
export type AssetParameters = {
  readonly width?: number
  readonly height?: number
  readonly fit?: ImageFit
  readonly withoutEnlargement?: boolean
  readonly format?: ImageFormat | 'jpg' | 'auto'
  readonly animated?: boolean
  readonly quality?: number
  readonly focalPointX?: number
  readonly focalPointY?: number
  readonly transforms?: unknown
}

/** `key` names a preset, `accept` is the Accept header, and `presets` are allowed in addition to system presets. */
export type AssetOptions = {
  readonly key: string | null
  readonly own: AssetParameters
  readonly accept: string
  readonly presets?: AssetPresets
  /** Output formats of source formats if the request names none. Source formats in this map can be transformed. */
  readonly instead?: ReadonlyMap<string, ImageFormat>
  /** Actor whose rights apply to further input files, if it is not the requesting actor. */
  readonly inputsFor?: Actor
}

export type AssetPresets = ReadonlyMap<string, AssetParameters>

const system = (side: number, height: boolean): AssetParameters =>
  height ? { width: side, height: side, fit: 'cover', format: 'auto' } : { width: side, fit: 'contain', format: 'auto' }

/** Presets that every project has and always allows. */
const systemPresets: AssetPresets = new Map([
  ['system-small-cover', system(64, true)],
  ['system-small-contain', system(64, false)],
  ['system-medium-cover', system(300, true)],
  ['system-medium-contain', system(300, false)],
  ['system-large-cover', system(800, true)],
  ['system-large-contain', system(800, false)],
])

/** `negotiated`: the format depends on the Accept header. */
export type RequestedTransform = { readonly transform: Transform; readonly negotiated: boolean }

/** The transform; null if the original is requested. Throws `invalid-query` for invalid and disallowed parameters. */
export function toTransform(
  ctx: Pick<Context, 'images'>,
  options: AssetOptions,
  file: FileRow,
): RequestedTransform | null {
  if (options.key === null && Object.keys(options.own).length === 0) return null
  const assetParameters = withPreset(options, file)
  checkParameters(ctx, assetParameters)
  const steps = parseSteps(
    assetParameters.transforms === undefined ? [] : assetParameters.transforms,
    ctx.images.limits.maxSteps,
  )
  const stated = steps.findLast((step) => formatOfStep(step) !== null)
  const source = sourceFormat(file.type)
  const transform = {
    width: assetParameters.width ?? null,
    height: assetParameters.height ?? null,
    fit: assetParameters.fit ?? 'cover',
    withoutEnlargement: assetParameters.withoutEnlargement ?? false,
    format:
      toFormat(assetParameters.format, options.accept, stated === undefined ? source : null) ??
      instead(options, file, stated),
    quality: assetParameters.quality ?? null,
    focalPoint: focalPointOf(assetParameters, file),
    ...(assetParameters.animated === false ? { animated: false as const } : {}),
    steps,
  }
  return { transform, negotiated: assetParameters.format === 'auto' }
}

/** The format of a media type that everybody may transform; null for others. */
export function sourceFormat(type: string | null): ImageFormat | null {
  return ([...imageFormats, 'gif'] as const).find((each) => each === formatName(type)) ?? null
}

/** Whether the file is transformed. Other files are delivered unchanged. */
export const isTransformed = ({ type }: FileRow, options: AssetOptions): boolean =>
  sourceFormat(type) !== null || options.instead?.has(formatName(type)) === true

/** The subtype, such as `png` in `image/png`. */
function formatName(type: string | null): string {
  const [, name = ''] = /^image\/(\w+)$/i.exec(type ?? '') ?? []
  return formatOf(name.toLowerCase())
}

const instead = (options: AssetOptions, { type }: FileRow, stated: Step | undefined): ImageFormat | null =>
  stated === undefined ? (options.instead?.get(formatName(type)) ?? null) : null

function withPreset({ key, own, presets: more }: AssetOptions, { transforming }: FileRow): AssetParameters {
  const { mode, presets } = toAssetRules(transforming)
  const alone = Object.keys(own).length === 0
  const [first] = Object.keys(own)
  if (!alone && mode !== 'all') throw invalidQuery(first ?? 'transforms', `The project allows ${allowed[mode]}`)
  if (key === null) return own
  const assetParameters = systemPresets.get(key) ?? more?.get(key) ?? presets.get(key)
  if (assetParameters !== undefined) return { ...assetParameters, ...own }
  throw invalidQuery('key', `Expected the key of a preset for "key" but received ${JSON.stringify(key.slice(0, 100))}`)
}

const allowed = {
  none: 'no transforms but those of its system presets',
  presets: 'only presets, by "key" alone',
  all: 'everything',
} as const

/** The allowed transforms, and the allowed presets by key (none if `mode` is `none`). */
export type AssetRules = { readonly mode: keyof typeof allowed; readonly presets: AssetPresets }

export async function readAssetRules({ db }: Pick<Context, 'db'>): Promise<AssetRules> {
  return toAssetRules(await readTransformSettings(db))
}

function toAssetRules([set, json]: FileRow['transforming']): AssetRules {
  const mode = set === 'none' || set === 'presets' ? set : 'all'
  const stored = json == null ? null : (JSON.parse(json) as unknown)
  const listed = (Array.isArray(stored) ? stored : []) as readonly unknown[]
  const records = listed.filter((each) => typeof each === 'object' && each !== null) as Record<string, unknown>[]
  // If two presets have the same key, the first one is used.
  const named = records.toReversed().map((each) => [String(each['key']), toPreset(each)] as const)
  return { mode, presets: new Map(mode === 'none' ? [] : named) }
}

/** Parses a stored preset; empty values count as absent. */
function toPreset(record: Record<string, unknown>): AssetParameters {
  const names = ['width', 'height', 'fit', 'withoutEnlargement', 'format', 'quality', 'transforms'] as const
  return Object.fromEntries(
    names.flatMap((name) => (record[name] == null || record[name] === '' ? [] : [[name, record[name]] as const])),
  )
}

/** Validates parameters: those of a request were partly validated against the spec, those of a preset were not. */
function checkParameters(ctx: Pick<Context, 'images'>, assetParameters: AssetParameters): void {
  const { maxOutputDimension } = ctx.images.limits
  for (const name of ['width', 'height'] as const) checkInteger(name, assetParameters[name], [1, maxOutputDimension])
  for (const name of ['focalPointX', 'focalPointY'] as const)
    checkInteger(spelling[name], assetParameters[name], [0, 1e6])
  checkInteger('quality', assetParameters.quality, [1, 100])
  checkWord('fit', assetParameters.fit, imageFits)
  checkWord('format', assetParameters.format, ['auto', 'jpg', ...imageFormats, 'gif'])
}

const spelling = { focalPointX: 'focal_point_x', focalPointY: 'focal_point_y' } as const

function checkInteger(name: string, value: unknown, [min, max]: readonly [number, number]): void {
  const fits = value === undefined || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
  if (!fits)
    throw invalidQuery(name, `Expected an integer from ${min} to ${max} for "${name}" but received ${show(value)}`)
}

function checkWord(name: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.includes(value as string)) return
  throw invalidQuery(name, `Expected one of ${words.join(', ')} for "${name}" but received ${show(value)}`)
}

const show = (value: unknown): string => JSON.stringify(value).slice(0, 100)

function toFormat(wanted: AssetParameters['format'], accept: string, source: ImageFormat | null): ImageFormat | null {
  if (wanted === undefined) return null
  if (wanted !== 'auto') return formatOf(wanted)
  if (shows(accept, 'image/avif') && source !== 'gif') return 'avif'
  if (shows(accept, 'image/webp')) return 'webp'
  return source === 'avif' || source === 'webp' || source === 'tiff' ? 'png' : null
}

/** Whether the Accept header accepts the type; a weight of 0 means no. */
const shows = (accept: string, type: string): boolean =>
  accept.split(',').some((range) => {
    const [name, ...weights] = range.toLowerCase().split(';')
    return name?.trim() === type && !weights.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each))
  })

function focalPointOf(assetParameters: AssetParameters, file: FileRow): Transform['focalPoint'] {
  const x = assetParameters.focalPointX ?? file.focal_point_x
  const y = assetParameters.focalPointY ?? file.focal_point_y
  return x === null || y === null ? null : { x, y }
}
