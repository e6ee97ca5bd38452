/** The application cannot go on without the model of the project: what failed when it was read, for the page that says so. */
let problem: unknown = null
const listeners = new Set<() => void>()

export const stoppedBy = (): unknown => problem

export function onStopped(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Never settles: whoever waits for the model is not told that there is none, which would end the session. */
export function stopFor(error: unknown): Promise<never> {
  problem = error
  for (const tell of listeners) tell()
  return new Promise<never>(() => {})
}
