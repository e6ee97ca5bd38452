/** The port for image processing, and the types of its tasks. */
import type { JobState } from './queue.ts'

/** One call of the image library, checked by `images/operations.ts`. */
export type Step = { readonly name: string; readonly args: readonly unknown[] }

/** Input formats, and output formats that a step can name. */
export const imageFormats = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const
export type ImageFormat = (typeof imageFormats)[number] | 'gif'

/** How an image is fitted into a width and a height. */
export const imageFits = ['cover', 'contain', 'inside', 'outside'] as const
export type ImageFit = (typeof imageFits)[number]

/** All settings of one transformation. Equal settings give an equal result. */
export type Transform = {
  readonly width: number | null
  readonly height: number | null
  readonly fit: ImageFit
  readonly withoutEnlargement: boolean
  /** Output format; null keeps that of the source. */
  readonly format: ImageFormat | null
  /** 1 to 100; null = the default of the format. */
  readonly quality: number | null
  /** In pixels of the source after EXIF rotation. Used only for a cover crop with width and height. */
  readonly focalPoint: { readonly x: number; readonly y: number } | null
  /** False: of an animation only the first frame. Absent: all frames, where format and operations allow it. */
  readonly animated?: false
  /** Operations that run in this order, before format and size are applied. */
  readonly steps: readonly Step[]
}

/** Paths of further input images by their file id in lower case. */
export type Inputs = { readonly [id: string]: string }

/** Paths of the input files: the source image, and the images that steps name. */
export type Sources = { readonly picture: string; readonly inputs: Inputs }

/** Facts about an image. Width and height are those after EXIF rotation. */
export type ImageFacts = {
  readonly format: string
  readonly width: number
  readonly height: number
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number
  readonly pages: number
  readonly hasAlpha: boolean
}

/** The result of a transformation. */
export type TransformedImage = {
  readonly format: ImageFormat
  readonly width: number
  readonly height: number
  readonly size: number
  /** The result in base64 if it is small; otherwise null. */
  readonly content: string | null
}

/** Where the result is written. */
export type Target = {
  /** Folder for temporary files and for large results; created when needed. */
  readonly folder: string
  /** If set, the result is always written to this new file, and synced to disk. */
  readonly file: string | null
}

/** Path of a result that is not small. */
export const resultOf = ({ folder, file }: Target): string => file ?? `${folder}/result`

/** Limit in bytes of a small result. */
export const smallImage = 65_536

/** Image processing in separate processes: malicious input can crash or block only such a process. */
export type Images = {
  readonly limits: ImageLimits
  /**
   * Transforms a file. The result is a file, or base64 if it is small, or both. Rejects with `illegal-transformation` or
   * `unavailable`.
   */
  readonly transform: (sources: Sources, target: Target, transform: Transform) => Promise<TransformedImage>
  /** Facts of an image file; null if the file is not a readable image. */
  readonly describe: (source: string) => Promise<ImageFacts | null>
  /** Creates a folder for the files of one task. The caller removes it. */
  readonly createFolder: () => Promise<string>
  /** Path for such a folder, without creating it. */
  readonly nameFolder: () => string
  /** Images that are processed and that wait. */
  readonly jobs: () => JobState
  readonly close: () => Promise<void>
}

export type ImageLimits = {
  /** Limit in pixels of each side of source and result. */
  readonly maxDimension: number
  readonly maxOutputDimension: number
  /** Limit of steps per request. */
  readonly maxSteps: number
  /** Limit of tasks that run or wait. */
  readonly maxConcurrent: number
  /** Limit in milliseconds of the waiting time, and separately of the processing time. */
  readonly timeout: number
  /** Damage from which on a source is rejected; `none` accepts whatever can be partly read. */
  readonly sensitivity: 'none' | 'truncated' | 'error' | 'warning'
}
