/** The program that reads what strangers wrote into images: one at a time, and it can be killed at any moment. */
import { readFileSync } from 'node:fs'
import { readImage } from './image-metadata.ts'

/** Where the image, or the beginning of it, is, and what is asked of it. */
export type ImageQuestion = { readonly path: string; readonly allow: readonly string[] }

process.on('message', ({ path, allow }: ImageQuestion) => void process.send?.(readImage(readFileSync(path), allow)))

// Nobody is left to read for.
process.on('disconnect', () => process.exit())
