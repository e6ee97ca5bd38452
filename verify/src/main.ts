#!/usr/bin/env node
/** The program `tandem-verify`. */
import { runProgram } from './program.ts'

const end = new AbortController()
// The second signal does not wait for the removal.
const interrupt = (): void => {
  if (end.signal.aborted) process.exit(2)
  end.abort()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  error: process.stderr,
  interruption: end.signal,
})
