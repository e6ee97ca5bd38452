/** What the program does with its arguments, as a function. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments, UsageError, usage, type VerifyArguments } from './arguments.ts'
import { writeReport } from './report/formats.ts'
import { createProgress, type Terminal } from './report/progress.ts'
import { failuresOf } from './report/summary.ts'
import { CouldNotRun } from './session/could-not-run.ts'

export type Dependencies = {
  readonly env: NodeJS.ProcessEnv
  readonly out: Terminal
  readonly error: Terminal
  /** Ends the run; what was made is removed. */
  readonly interruption: AbortSignal
}

/** Returns the exit code. Never throws. */
export async function runProgram(args: readonly string[], dependencies: Dependencies): Promise<number> {
  try {
    return await run(args, dependencies)
  } catch (error) {
    const isKnown = error instanceof UsageError || error instanceof CouldNotRun
    const message = error instanceof Error ? (isKnown ? error.message : (error.stack ?? error.message)) : String(error)
    dependencies.error.write(`${message}\n${error instanceof UsageError ? `\n${usage}` : ''}`)
    return 2
  }
}

async function run(args: readonly string[], dependencies: Dependencies): Promise<number> {
  const { env, out } = dependencies
  const options = readArguments(args, env)
  switch (options.kind) {
    case 'help':
      out.write(usage)
      return 0
    case 'version': {
      const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
        readonly version: string
      }
      out.write(`${version}\n`)
      return 0
    }
    case 'diff': {
      const { compareDocuments } = await import('./diff/compare.ts')
      const { text, isBreaking, isUsed } = await compareDocuments(options)
      out.write(text)
      return !isBreaking ? 0 : isUsed === false ? 3 : 1
    }
    default:
      return runVerify(options, dependencies)
  }
}

async function runVerify(parsed: VerifyArguments, { out, error, interruption }: Dependencies): Promise<number> {
  // Loaded only here, because its libraries take long to load.
  const { verify } = await import('./verify.ts')
  const { format, output, specFile, seed, ...options } = parsed
  const say = (): void => {
    error.write('\nInterrupted: removing what was made …\n')
  }
  interruption.addEventListener('abort', say)
  const progress = createProgress(error)
  const report = await verify({
    ...options,
    ...(seed === null ? {} : { seed }),
    specText: specFile === null ? null : readFileSync(specFile, 'utf8'),
    signal: interruption,
    onStart: (checks) => progress.start(checks.length),
    onOutcome: progress.step,
  }).finally(progress.end)
  const text = writeReport(report, format)
  if (output === null) out.write(text)
  else {
    writeFileSync(output, text)
    error.write(writeReport(report, 'text'))
  }
  if (report.isInterrupted) return 2
  return failuresOf(report).length === 0 && report.left.length === 0 ? 0 : 1
}
