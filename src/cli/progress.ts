/** Progress messages on the terminal. */

/** Runs `work`. If it takes more than a second, its label and finally its duration are printed to standard error. */
export async function withProgress<T>(label: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  let told = false
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000)
    if (!told) process.stderr.write(`${label} …\n`)
    else if (seconds % 10 === 0) process.stderr.write(`${label} … ${seconds} s\n`)
    told = true
  }, 1000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (told) process.stderr.write(`${label}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  }
}
