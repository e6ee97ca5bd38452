#!/usr/bin/env node
/** The program `tandem-verify`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments, UsageError, usage, type VerifyArguments } from './arguments.ts'
import { writeReport } from './report/formats.ts'
import { createProgress } from './report/progress.ts'
import { failuresOf } from './report/summary.ts'
import { CouldNotRun } from './session/could-not-run.ts'

/** The exit code. */
async function main(): Promise<number> {
  const given = readArguments(process.argv.slice(2), process.env)
  switch (given.kind) {
    case 'help':
      process.stdout.write(usage)
      return 0
    case 'version': {
      const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
        readonly version: string
      }
      process.stdout.write(`${version}\n`)
      return 0
    }
    case 'diff': {
      const { compareDocuments } = await import('./diff/compare.ts')
      const { text, isBreaking } = await compareDocuments(given.before, given.after, given.isJson)
      process.stdout.write(text)
      return isBreaking ? 1 : 0
    }
    default:
      return runVerify(given)
  }
}

async function runVerify(given: VerifyArguments): Promise<number> {
  // Loaded only here, because its libraries take long to load.
  const { verify } = await import('./verify.ts')
  const { format, output, specFile, seed, ...options } = given
  const interruption = new AbortController()
  const interrupt = (): void => {
    if (interruption.signal.aborted) process.exit(2)
    process.stderr.write('\nInterrupted: removing what was made …\n')
    interruption.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const progress = createProgress(process.stderr)
  const report = await verify({
    ...options,
    ...(seed === null ? {} : { seed }),
    specText: specFile === null ? null : readFileSync(specFile, 'utf8'),
    signal: interruption.signal,
    onStart: (checks) => progress.start(checks.length),
    onOutcome: progress.step,
  }).finally(progress.end)
  const text = writeReport(report, format)
  if (output === null) process.stdout.write(text)
  else {
    writeFileSync(output, text)
    process.stderr.write(writeReport(report, 'text'))
  }
  if (report.isInterrupted) return 2
  return failuresOf(report).length === 0 && report.left.length === 0 ? 0 : 1
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const isKnown = error instanceof UsageError || error instanceof CouldNotRun
    const message = error instanceof Error ? (isKnown ? error.message : (error.stack ?? error.message)) : String(error)
    process.stderr.write(`${message}\n${error instanceof UsageError ? `\n${usage}` : ''}`)
    process.exitCode = 2
  },
)
