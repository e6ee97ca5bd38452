/** The operations of `transforms`, with their arguments. */

type Colour = string | { readonly r: number; readonly g: number; readonly b: number; readonly alpha?: number }

type Format = 'jpg' | 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif'

type Encoding = { readonly [option: string]: string | number | boolean }

type Resizing = {
  readonly width?: number
  readonly height?: number
  readonly fit?: 'cover' | 'contain' | 'fill' | 'inside' | 'outside'
  readonly position?: string | number
  readonly background?: Colour
  readonly kernel?: 'nearest' | 'linear' | 'cubic' | 'mitchell' | 'lanczos2' | 'lanczos3' | 'mks2013' | 'mks2021'
  readonly withoutEnlargement?: boolean
  readonly withoutReduction?: boolean
  readonly fastShrinkOnLoad?: boolean
}

type Edges = { readonly top?: number; readonly right?: number; readonly bottom?: number; readonly left?: number }

type Extending =
  | number
  | (Edges & { readonly background?: Colour; readonly extendWith?: 'background' | 'copy' | 'repeat' | 'mirror' })

type Gain = number | readonly number[]

/** A file by id, or a plain color. */
type Input =
  | string
  | {
      readonly create: {
        readonly width: number
        readonly height: number
        readonly channels: 3 | 4
        readonly background: Colour
      }
    }

type Layer = {
  readonly input: Input
  readonly blend?: string
  readonly gravity?: string | number
  readonly left?: number
  readonly top?: number
  readonly tile?: boolean
  readonly premultiplied?: boolean
}

type Matrix =
  | readonly [number, number, number, number]
  | readonly [readonly [number, number], readonly [number, number]]

type Exif = { readonly [Block in 'IFD0' | 'IFD1' | 'IFD2' | 'IFD3']?: { readonly [tag: string]: string } }

/** Name → arguments. */
type Operations = {
  readonly [Name in 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif']: [options?: Encoding]
} & {
  readonly [Name in 'extend' | 'expand']: [by: Extending]
} & {
  readonly [Name in 'flip' | 'flop' | 'greyscale' | 'grayscale']: [on?: boolean]
} & {
  readonly [Name in 'normalise' | 'normalize']: [range?: { readonly lower?: number; readonly upper?: number }]
} & {
  readonly [Name in 'toColourspace' | 'toColorspace']: [space: 'srgb' | 'b-w' | 'cmyk']
} & {
  readonly [Name in 'pipelineColourspace' | 'pipelineColorspace']: [
    space: 'srgb' | 'rgb16' | 'scrgb' | 'lab' | 'b-w' | 'grey16' | 'cmyk',
  ]
} & {
  readonly [Name in 'dilate' | 'erode']: [width?: number]
} & {
  readonly [Name in 'autoOrient' | 'unflatten' | 'removeAlpha']: []
} & {
  readonly toFormat: [format: Format, options?: Encoding]
  readonly resize: [width: number | null | Resizing, height?: number | null, options?: Resizing]
  readonly extract: [
    area: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  ]
  readonly trim: [
    options?: {
      readonly background?: Colour
      readonly threshold?: number
      readonly lineArt?: boolean
      readonly margin?: number
    },
  ]
  readonly rotate: [degrees?: number, options?: { readonly background?: Colour }]
  readonly sharpen: [
    options?: {
      readonly sigma: number
      readonly m1?: number
      readonly m2?: number
      readonly x1?: number
      readonly y2?: number
      readonly y3?: number
    },
  ]
  readonly median: [size?: number]
  readonly blur: [
    by?:
      | number
      | boolean
      | {
          readonly sigma: number
          readonly precision?: 'integer' | 'float' | 'approximate'
          readonly minAmplitude?: number
        },
  ]
  readonly flatten: [options?: boolean | { readonly background?: Colour }]
  readonly gamma: [gamma?: number, output?: number]
  readonly negate: [options?: boolean | { readonly alpha?: boolean }]
  readonly clahe: [options: { readonly width: number; readonly height: number; readonly maxSlope?: number }]
  readonly convolve: [
    kernel: {
      readonly width: number
      readonly height: number
      readonly kernel: readonly number[]
      readonly scale?: number
      readonly offset?: number
    },
  ]
  readonly threshold: [
    at?: number | boolean,
    options?: { readonly greyscale?: boolean } | { readonly grayscale?: boolean },
  ]
  readonly linear: [factor: Gain, offset?: Gain]
  readonly recomb: [matrix: readonly (readonly number[])[]]
  readonly modulate: [
    options: {
      readonly brightness?: number
      readonly saturation?: number
      readonly hue?: number
      readonly lightness?: number
    },
  ]
  readonly tint: [colour: Colour]
  readonly affine: [
    matrix: Matrix,
    options?: {
      readonly background?: Colour
      readonly idx?: number
      readonly idy?: number
      readonly odx?: number
      readonly ody?: number
      readonly interpolator?: 'nearest' | 'bilinear' | 'bicubic' | 'lbb' | 'nohalo' | 'vsqbs'
    },
  ]
  readonly composite: [layers: readonly Layer[]]
  readonly boolean: [input: Input, operation: 'and' | 'or' | 'eor']
  readonly withMetadata: [
    options?: {
      readonly orientation?: number
      readonly density?: number
      readonly icc?: 'srgb' | 'p3' | 'cmyk'
      readonly exif?: Exif
    },
  ]
  readonly ensureAlpha: [alpha?: number]
  readonly extractChannel: [channel: 0 | 1 | 2 | 3 | 'red' | 'green' | 'blue' | 'alpha']
  readonly bandbool: [operation: 'and' | 'or' | 'eor']
}

/** An operation: its name and arguments. */
export type Step = {
  [Name in keyof Operations]: readonly [operation: Name, ...args: Operations[Name]]
}[keyof Operations]
