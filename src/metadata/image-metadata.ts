/** Reads EXIF, IPTC, ICC and XMP metadata of images, in groups. */

import { inflateSync } from 'node:zlib'
import exifReader from 'exifreader'

export type Metadata = { readonly [group: string]: { readonly [name: string]: unknown } }

export type ImageFacts = {
  readonly width: number | null
  readonly height: number | null
  readonly metadata: Metadata
}

/** Limits on stored metadata, which is untrusted. */
const most = { names: 200, text: 2_000, list: 100 } as const

/**
 * Reads the metadata of an image from its bytes or its first bytes. `allow` names groups (`icc`), values
 * (`exif.FNumber`) or `*`. Damaged bytes are no error: the result is whatever could be read.
 */
export function readImage(bytes: Uint8Array, allow: readonly string[]): ImageFacts {
  const tags = loadAll(bytes)
  const groups: Groups = new Map()
  for (const [kind, values] of Object.entries(tags)) addGroup(groups, kind, values)
  const sized = sizeOf(tags)
  return { ...sized, metadata: pick(groups, allow) }
}

type Tag = { readonly value?: unknown; readonly description?: unknown }
type Tags = { readonly [name: string]: unknown }
type Groups = Map<string, Map<string, unknown>>

function load(bytes: Uint8Array): { readonly [kind: string]: Tags } {
  try {
    const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    // The package has named exports only in its build for bundlers.
    // oxlint-disable-next-line import/no-named-as-default-member
    return exifReader.load(copy as ArrayBuffer, { expanded: true }) as unknown as { readonly [kind: string]: Tags }
  } catch {
    return {}
  }
}

function loadAll(bytes: Uint8Array): ReturnType<typeof load> {
  const profile = profileOfPng(bytes)
  const { icc } = profile === null ? {} : load(profile)
  return { ...load(bytes), ...(icc === undefined ? {} : { icc }) }
}

function sizeOf(tags: { readonly [kind: string]: Tags }): Pick<ImageFacts, 'width' | 'height'> {
  const sources = [tags['file'], tags['png'], tags['pngFile'], tags['gif'], tags['riff']]
  const find = (name: string): number | null => {
    for (const source of sources) {
      const { value } = (source?.[name] ?? {}) as Tag
      if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31) return value
    }
    return null
  }
  const [width, height] = [find('Image Width'), find('Image Height')]
  const { value: orientation } = (tags['exif']?.['Orientation'] ?? {}) as Tag
  // EXIF orientations from 5 on swap width and height.
  return typeof orientation === 'number' && orientation >= 5 ? { width: height, height: width } : { width, height }
}

function addGroup(groups: Groups, kind: string, values: Tags): void {
  for (const [name, tag] of Object.entries(values)) {
    const target = targetOf(kind, name)
    const value = target === null ? undefined : plainValue(tag)
    if (target === null || value === undefined) continue
    const [group, own] = target
    const names = groups.get(group) ?? new Map<string, unknown>()
    groups.set(group, names)
    if (names.size < most.names) names.set(own, value)
  }
}

/** The reader has one group for all EXIF tags. These tags belong to the image itself (IFD0). */
const ifd0: ReadonlySet<string> = new Set(
  `ImageDescription Make Model Orientation XResolution YResolution ResolutionUnit Software DateTime Artist
  HostComputer WhitePoint PrimaryChromaticities YCbCrCoefficients YCbCrSubSampling YCbCrPositioning
  ReferenceBlackWhite Copyright ImageWidth ImageLength BitsPerSample Compression PhotometricInterpretation
  SamplesPerPixel PlanarConfiguration Rating RatingPercent`.split(/\s+/),
)

const iccNames: { readonly [name: string]: string } = {
  'Profile Version': 'version',
  'Rendering Intent': 'intent',
  'Preferred CMM type': 'cmm',
  'Profile/Device class': 'deviceClass',
  'Color Space': 'colorSpace',
  'Connection Space': 'connectionSpace',
  'Primary Platform': 'platform',
  'Device Manufacturer': 'manufacturer',
  'Device Model Number': 'model',
  'Profile Creator': 'creator',
  'ICC Description': 'description',
  'ICC Copyright': 'copyright',
  'Media White Point': 'whitepoint',
}

const iptcNames: { readonly [name: string]: string } = {
  'Caption/Abstract': 'caption',
  Credit: 'credit',
  Keywords: 'keywords',
  'Date Created': 'dateCreated',
  'By-line': 'byline',
  'By-line Title': 'bylineTitle',
  'Writer/Editor': 'captionWriter',
  Headline: 'headline',
  'Copyright Notice': 'copyright',
  Category: 'category',
  City: 'city',
  'Province/State': 'state',
  'Country/Primary Location Name': 'country',
}

const xmpNames: ReadonlySet<string> = new Set(['title', 'description', 'rights', 'creator', 'subject'])

const nameIn = (names: { readonly [name: string]: string }, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined

function targetOf(kind: string, name: string): readonly [group: string, name: string] | null {
  if (!/^[\w /-]{1,64}$/.test(name) || ['__proto__', 'constructor', 'prototype'].includes(name)) return null
  switch (kind) {
    case 'exif':
      return name.endsWith('Pointer') || name === 'MakerNote' ? null : [ifd0.has(name) ? 'ifd0' : 'exif', name]
    case 'gps':
      return ['gps', name]
    case 'icc':
      return named('icc', nameIn(iccNames, name))
    case 'iptc':
      return named('iptc', nameIn(iptcNames, name))
    case 'xmp':
      return named('xmp', xmpNames.has(name) ? name : undefined)
    default:
      return null
  }
}

const named = (group: string, name: string | undefined): readonly [string, string] | null =>
  name === undefined ? null : [group, name]

/** Keeps numbers, converts fractions to numbers and everything else to text. */
function plainValue(tag: unknown): unknown {
  if (typeof tag === 'number') return Number.isFinite(tag) ? tag : undefined
  if (Array.isArray(tag)) return tag.slice(0, most.list).map((each) => cleanText((each as Tag).description))
  if (typeof tag !== 'object' || tag === null) return undefined
  const { value, description } = tag as Tag
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (isFraction(value)) return value[1] === 0 ? undefined : value[0] / value[1]
  const text = typeof description === 'string' && description !== '' ? description : value
  return typeof text === 'string' && text !== '' ? cleanText(text) : undefined
}

const isFraction = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number')

/** Removes characters that databases cannot store. */
const cleanText = (value: unknown): string =>
  String(value)
    .slice(0, most.text)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, (each) => ('\t\n\r'.includes(each) ? each : ''))
    .trim()

function pick(groups: Groups, allow: readonly string[]): Metadata {
  const isAllowed = (group: string, name: string): boolean =>
    allow.includes('*') || allow.includes(group) || allow.includes(`${group}.${name}`)
  const picked: { [group: string]: { [name: string]: unknown } } = {}
  for (const [group, names] of groups) {
    const stored = [...names].filter(([name]) => isAllowed(group, name))
    if (stored.length > 0) picked[group] = Object.fromEntries(stored)
  }
  return picked
}

/** Extracts the compressed ICC profile of a PNG, which the metadata reader does not support. */
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Limit in bytes of an unpacked profile, against decompression bombs. Profiles of printers have some hundred thousand bytes. */
const mostBytes = 2_000_000

/** The profile wrapped as a JPEG without pixels, which the reader accepts; null if there is no valid profile. */
function profileOfPng(bytes: Uint8Array): Buffer | null {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!png.subarray(0, signature.length).equals(signature)) return null
  const chunk = chunkOf(png, 'iCCP')
  if (chunk === null) return null
  try {
    // The profile name ends in a zero byte. A second zero byte is the compression method.
    const compressed = chunk.subarray(chunk.indexOf(0) + 2)
    return toJpeg(inflateSync(compressed, { maxOutputLength: mostBytes }))
  } catch {
    return null
  }
}

/** The chunks before the pixel data. */
function chunkOf(png: Buffer, wanted: string): Buffer | null {
  for (let at = signature.length; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === wanted) return png.subarray(at + 8, at + 8 + length)
    if (type === 'IDAT') return null
    at += 12 + length
  }
  return null
}

const mostInSegment = 65_519

function toJpeg(profile: Buffer): Buffer {
  const count = Math.ceil(profile.length / mostInSegment)
  const segments = Array.from({ length: count }, (_, at) => {
    const part = profile.subarray(at * mostInSegment, (at + 1) * mostInSegment)
    const head = Buffer.from('\xff\xe2__ICC_PROFILE\0__', 'latin1')
    head.writeUInt16BE(part.length + 16, 2)
    head.set([at + 1, count], 16)
    return Buffer.concat([head, part])
  })
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xd9])])
}
