/** Runs `work`. If it takes more than a second, its label and finally its duration are printed to standard error. */
export async function withProgress<T>(label: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  let isShown = false
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000)
    if (!isShown) process.stderr.write(`${label} …\n`)
    else if (seconds % 10 === 0) process.stderr.write(`${label} … ${seconds} s\n`)
    isShown = true
  }, 1000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (isShown) process.stderr.write(`${label}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  }
}

/** On a terminal one line with the number of rows and rows per second; elsewhere silence. */
export function createRowProgress() {
  const { stderr } = process
  let open = { table: '', started: 0, printed: 0 }
  return {
    tell: (table: string, done: number): void => {
      if (!stderr.isTTY) return
      const now = performance.now()
      if (table !== open.table) open = { table, started: now, printed: 0 }
      if (now - open.printed < 200) return
      open.printed = now
      const rate = Math.round((done * 1000) / Math.max(1, now - open.started))
      stderr.write(`\r\u001b[K${table}: ${done} (${rate} per second)`)
    },
    end: (): void => {
      if (open.table !== '' && stderr.isTTY) stderr.write('\r\u001b[K')
      open = { table: '', started: 0, printed: 0 }
    },
  }
}
