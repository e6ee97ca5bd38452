/** What signals do to the server. As the first process of a container it gets no default action, not even of SIGKILL. */
import { constants } from 'node:os'

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGKILL'

export const stopSignals = ['SIGTERM', 'SIGINT'] as const

/** The parts of `process` that end it. */
export type Ending = Pick<NodeJS.Process, 'pid' | 'kill' | 'exit' | 'on' | 'off'>

/** Ends the process by the signal. Where the signal has no effect, the process exits with the code that stands for it. */
export function endBy(signal: Signal, ending: Ending = process): void {
  ending.kill(ending.pid, signal)
  ending.exit(128 + constants.signals[signal])
}

/** Until the returned function is called, SIGTERM and SIGINT end the process at once. */
export function endOnSignal(ending: Ending = process): () => void {
  const release = (): void => {
    for (const signal of stopSignals) ending.off(signal, end)
  }
  const end = (signal: NodeJS.Signals): void => {
    release()
    endBy(signal as Signal, ending)
  }
  for (const signal of stopSignals) ending.on(signal, end)
  return release
}
