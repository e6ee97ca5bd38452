/** Reads the facts of an image file without decoding pixels. Runs only in the worker. */
import sharp, { type Metadata, type SharpOptions } from 'sharp'
import type { ImageFacts } from '../domain/ports/images.ts'

/** Reads the facts of a file of any declared size. */
export async function describeWith(source: string, reading: SharpOptions): Promise<ImageFacts> {
  return toFacts(await sharp(source, { ...reading, limitInputPixels: false }).metadata())
}

/** Converts the metadata of the library to facts. */
export function toFacts(metadata: Metadata): ImageFacts {
  const { autoOrient, format, orientation = 1, pages = 1, pageHeight, hasAlpha } = metadata
  return {
    format: format === 'heif' ? 'avif' : format,
    width: autoOrient.width,
    height: pages > 1 && pageHeight !== undefined && orientation < 5 ? pageHeight : autoOrient.height,
    orientation,
    pages,
    hasAlpha,
  }
}
