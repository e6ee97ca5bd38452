/** The process that reads untrusted metadata, one file at a time. The server may kill it at any time. */
import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { type ImageFacts, readImage } from './image-metadata.ts'
import type { MediaFacts, Medium } from './media-metadata.ts'
import { isMedia } from './media-type.ts'

/** The path of the file or its first bytes, and what to read. */
export type Question = Medium & { readonly allow: readonly string[] }

export type Facts = ImageFacts & MediaFacts

async function read({ allow, ...medium }: Question): Promise<Facts> {
  const { path, type } = medium
  if (!isMedia(type)) return { ...readImage(readFileSync(path), allow), duration: null }
  // Loaded on demand, because images do not need it.
  const { readMedia } = await import('./media-metadata.ts')
  return { ...(await readMedia(medium)), metadata: {} }
}

process.on('message', (question: Question) => void read(question).then((facts) => process.send?.(facts)))

// The compile cache is written early, because the process is usually killed. It cuts the next start to a third.
flushCompileCache()

// The server is gone.
process.on('disconnect', () => process.exit())
