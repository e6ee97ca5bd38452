/** The port for resumable uploads. The tus library is loaded on first use, because it is large and off by default. */
import type { Resumable } from '../domain/ports/uploads.ts'

/** Creates the port. Writes to one upload are serialised within the process; the store detects conflicts between processes. */
export function createResumable(): Resumable {
  let opened: Promise<Resumable> | null = null
  return { answer: async (request, options) => (await (opened ??= openProtocol())).answer(request, options) }
}

const openProtocol = async (): Promise<Resumable> => (await import('./protocol.ts')).createProtocol()
