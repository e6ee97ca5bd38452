/** The program that reads what strangers wrote into images, audio and video: one at a time, and it can be killed at any moment. */
import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { type ImageFacts, readImage } from './image-metadata.ts'
import type { MediaFacts, Medium } from './media-metadata.ts'
import { isMedia } from './media-type.ts'

/** Where the contents, or what is known of them, are, and what is asked of them. */
export type Question = Medium & { readonly allow: readonly string[] }

export type Facts = ImageFacts & MediaFacts

async function read({ allow, ...medium }: Question): Promise<Facts> {
  const { path, type } = medium
  if (!isMedia(type)) return { ...readImage(readFileSync(path), allow), duration: null }
  // Images do without its memory.
  const { readMedia } = await import('./media-metadata.ts')
  return { ...(await readMedia(medium)), metadata: {} }
}

process.on('message', (question: Question) => void read(question).then((facts) => process.send?.(facts)))

// It is killed, mostly, and the next one starts in a third of the time.
flushCompileCache()

// Nobody is left to read for.
process.on('disconnect', () => process.exit())
