/** When memory is given back to the system: after the start, and in long pauses; never in short ones. */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** In ms. */
const usual = { afterStart: 500, pause: 5 * 60_000 }

/** A pause is a time in which less than this share went into work. */
const atWork = 0.01

/**
 * After eight seconds without work V8 collects everything by itself, and with it the fast form of all code that has
 * no request under way: the next thousands of requests then cost a third more. So `main.js` tells it not to, and what is
 * left of the start and of busy times is given back here. Returns what ends this.
 */
export function keepMemory({ afterStart, pause }: typeof usual = usual): () => void {
  let last = performance.eventLoopUtilization()
  let isReleased = false
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    const isQuiet = performance.eventLoopUtilization(now, last).utilization < atWork
    last = now
    if (isQuiet && !isReleased) void releaseMemory()
    isReleased = isQuiet
  }
  const started = setTimeout(() => void releaseMemory(), afterStart).unref()
  const looking = setInterval(look, pause).unref()
  return () => {
    clearTimeout(started)
    clearInterval(looking)
  }
}

async function releaseMemory(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  await collect({ execution: 'async', type: 'major', flavor: 'last-resort' })
}
