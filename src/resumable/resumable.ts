/** The port to resumable uploads. Its library is large and off by default: it is loaded by the first request that asks. */
import type { Resumable } from '../domain/resumable.ts'

/** Has no uploads yet. Writes of one upload take turns within the process; the store tells further processes apart. */
export function createResumable(): Resumable {
  let opened: Promise<Resumable> | null = null
  return { answer: async (request, options) => (await (opened ??= openProtocol())).answer(request, options) }
}

const openProtocol = async (): Promise<Resumable> => (await import('./protocol.ts')).createProtocol()
