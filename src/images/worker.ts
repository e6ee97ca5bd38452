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

/** What the library says about its arguments is for the client; what it says about bytes is for the log. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (error instanceof Refusal) return message
  if (/^(Expected|Unable to parse color|Invalid convolution)/.test(message)) return message.slice(0, 200)
  if (/extract_area|bad extract/.test(message)) return 'Expected an area inside the image for "extract"'
  return 'Expected an image that can be read and transformed but received other or damaged contents'
}
