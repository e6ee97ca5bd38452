/** A progress bar for terminals. */
import type { Outcome } from '../run/check.ts'

export type Progress = {
  readonly start: (count: number) => void
  readonly step: (outcome: Outcome) => void
  readonly end: () => void
}

/** A stream that may be a terminal. */
export type Terminal = {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

const width = 24

/** Writes nothing unless the stream is a terminal. */
export function createProgress(stream: Terminal): Progress {
  let [count, done, failed] = [0, 0, 0]
  const clear = '\r\u001b[2K'
  const draw = (title: string): void => {
    const filled = count === 0 ? 0 : Math.round((width * done) / count)
    const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
    const line = `${bar} ${done}/${count}${failed === 0 ? '' : `, ${failed} failed`}  ${title}`
    stream.write(`${clear}${line.slice(0, (stream.columns ?? 80) - 1)}`)
  }
  if (stream.isTTY !== true) return { start: () => {}, step: () => {}, end: () => {} }
  return {
    start: (checks) => {
      count = checks
      draw('')
    },
    step: ({ check, failure }) => {
      done += 1
      if (failure !== null) failed += 1
      draw(`${check.operation}: ${check.name}`)
    },
    end: () => stream.write(clear),
  }
}
