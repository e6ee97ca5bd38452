/** The image worker: a process that decodes untrusted bytes, one task at a time. The server may kill it at any time. */
import { flushCompileCache } from 'node:module'
import type { Answer, ToServer, ToWorker } from './messages.ts'
import { describe, limitLibrary, transformFile } from './pipeline.ts'
import { Refusal } from './refusal.ts'

limitLibrary()

process.on('message', (task: ToWorker) => {
  void answer(task).then(tell)
})

tell({ kind: 'ready' })
// The compile cache is written early, because the worker is killed and never exits. It cuts the next start to a third.
flushCompileCache()

// The server is gone. A normal exit would wait for running work of the library.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

function tell(message: ToServer): void {
  process.send?.(message)
}

async function answer(task: ToWorker): Promise<Answer> {
  try {
    if (task.kind === 'describe') return { kind: 'described', facts: await describe(task.source) }
    return { kind: 'transformed', image: await transformFile(task) }
  } catch (error) {
    if (task.kind === 'describe') return { kind: 'described', facts: null }
    return { kind: 'refused', reason: reasonOf(error), detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Messages of the library about arguments that do not fit an image, with the messages for the client. */
const unfit: readonly (readonly [RegExp, string])[] = [
  [/extract_area|bad extract/, 'Expected an area inside the image for "extract"'],
  [/^Cannot extract channel/, 'Expected a channel that the image has for "extractChannel"'],
  [/^rank: window/, 'Expected a size smaller than the image for "median"'],
  [/^hist_local: window/, 'Expected a width and a height smaller than the image for "clahe"'],
  [/^hist_local: image/, 'Expected an image of 8 bits a channel for "clahe"'],
  [/^linear: |^Band expansion/, 'Expected one value or as many as the image has channels for "linear"'],
  [/^recomb: /, 'Expected a matrix as wide as the image has channels for "recomb"'],
  [/^Image to trim/, 'Expected an image of at least 3 × 3 pixels for "trim"'],
  [/^(affine: |image: bad dimensions)/, 'Expected a matrix and offsets that leave something of the image for "affine"'],
  [/^Image to composite must/, 'Expected inputs no larger than the image, once it has its size, for "composite"'],
  [/^boolean: not one band/, 'Expected an input with one channel or as many as the image for "boolean"'],
  [/^vips2tiff: /, 'Expected options that go together, and tiles of 16 pixels or a multiple, for "tiff"'],
]

/** Messages about arguments are shown to the client; messages about file contents are only logged. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (error instanceof Refusal) return message
  if (/^(Expected|Unable to parse color|Invalid convolution)/.test(message)) return message.slice(0, 200)
  const [, reason] = unfit.find(([pattern]) => pattern.test(message)) ?? []
  return reason ?? 'Expected an image that can be read and transformed but received other or damaged contents'
}
