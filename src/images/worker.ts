/** The program that reads hostile bytes: one task at a time, and it can be killed at any moment. */
import { flushCompileCache } from 'node:module'
import type { Answer, ToServer, ToWorker } from './messages.ts'
import { describe, limitLibrary, Refusal, transformFile } from './pipeline.ts'

limitLibrary()

process.on('message', (task: ToWorker) => {
  void answer(task).then(tell)
})

tell({ kind: 'ready' })
// It never ends by itself, and the next one starts in a third of the time.
flushCompileCache()

// Nobody is left to work for. A plain exit would wait for the library.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

function tell(said: ToServer): void {
  process.send?.(said)
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

/** What the library says of arguments that do not go with an image, in its own words → in those of the client. */
const unfit: readonly (readonly [RegExp, string])[] = [
  [/extract_area|bad extract/, 'Expected an area inside the image for "extract"'],
  [/^Cannot extract channel/, 'Expected a channel that the image has for "extractChannel"'],
  [/^rank: window/, 'Expected a size smaller than the image for "median"'],
  [/^hist_local: window/, 'Expected a width and a height smaller than the image for "clahe"'],
  [/^hist_local: image/, 'Expected an image of 8 bits a channel for "clahe"'],
  [/^linear: |^Band expansion/, 'Expected one value or as many as the image has channels for "linear"'],
  [/^recomb: /, 'Expected a matrix as wide as the image has channels for "recomb"'],
  [/^Image to trim/, 'Expected an image of at least 3 × 3 pixels for "trim"'],
  [/^vips2tiff: /, 'Expected options that go together, and tiles of 16 pixels or a multiple, for "tiff"'],
]

/** What the library says about its arguments is for the client; what it says about bytes is for the log. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (error instanceof Refusal) return message
  if (/^(Expected|Unable to parse color|Invalid convolution)/.test(message)) return message.slice(0, 200)
  const [, reason] = unfit.find(([pattern]) => pattern.test(message)) ?? []
  return reason ?? 'Expected an image that can be read and transformed but received other or damaged contents'
}
