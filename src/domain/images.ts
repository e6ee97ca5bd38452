/** What is asked of an image, and the port that does it. */

/** One call of the image library, checked by `images/operations.ts`. */
export type Step = { readonly name: string; readonly args: readonly unknown[] }

/** Formats that are transformed everywhere, and that steps can name. */
export const imageFormats = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const
/** Formats of results. Of a GIF with several pictures the first is transformed, so it has to be asked for. */
export type ImageFormat = (typeof imageFormats)[number] | 'gif'

/** How both dimensions of a box are met. */
export const imageFits = ['cover', 'contain', 'inside', 'outside'] as const
export type ImageFit = (typeof imageFits)[number]

/** Everything that may be done to an image at once; the same values give the same picture. */
export type Transform = {
  readonly width: number | null
  readonly height: number | null
  readonly fit: ImageFit
  readonly withoutEnlargement: boolean
  /** Null keeps the source's. */
  readonly format: ImageFormat | null
  /** 1 to 100; null leaves it to the format. */
  readonly quality: number | null
  /** In pixels of the upright source; only a cover crop with both dimensions looks at it. */
  readonly focalPoint: { readonly x: number; readonly y: number } | null
  /** Done before format and size, in this order. */
  readonly steps: readonly Step[]
}

/** What an image says of itself. Width and height are those of the upright picture. */
export type ImageFacts = {
  readonly format: string
  readonly width: number
  readonly height: number
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number
  readonly pages: number
  readonly hasAlpha: boolean
}

/** What came out of a transform. */
export type TransformedImage = {
  readonly format: ImageFormat
  readonly width: number
  readonly height: number
  readonly size: number
  /** The picture where it is small, in base64. */
  readonly content: string | null
}

/** Where a result goes. */
export type Target = {
  /** For what has to be a file meanwhile, and for a result that is not small; it is made when it is needed. */
  readonly folder: string
  /** The result goes here instead, small or not: a file that nobody has made yet, and that is on the disk at the end. */
  readonly file: string | null
}

/** The file of a result that is not small. */
export const resultOf = ({ folder, file }: Target): string => file ?? `${folder}/result`

/** Bytes of a picture that is called small. */
export const smallImage = 65_536

/** Work on images, in programs of its own: hostile bytes and endless work cost one of those, never this one. */
export type Images = {
  readonly limits: ImageLimits
  /**
   * Reads one file; makes another, or hands over what is small, or both. Rejects with `illegal-transformation` or
   * `unavailable`.
   */
  readonly transform: (source: string, target: Target, transform: Transform) => Promise<TransformedImage>
  /** Null when the file is no image that can be read. */
  readonly describe: (source: string) => Promise<ImageFacts | null>
  /** A new folder for the files of one task; whoever asks for it removes it. */
  readonly createFolder: () => Promise<string>
  /** Where such a folder would be: for tasks that seldom need one. */
  readonly nameFolder: () => string
  readonly close: () => Promise<void>
}

export type ImageLimits = {
  /** Pixels of either side of a source, and of a result. */
  readonly maxDimension: number
  readonly maxOutputDimension: number
  /** Steps of one request. */
  readonly maxSteps: number
  /** Transforms that run or wait at once. */
  readonly maxConcurrent: number
  /** Milliseconds of waiting, and again of work. */
  readonly timeout: number
  /** How damaged a source may be: `none` takes all that can be read in part. */
  readonly sensitivity: 'none' | 'truncated' | 'error' | 'warning'
}
