/** `tandem schema snapshot`, `diff` and `apply`: the data model as a file, for version control. */
import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { loadGenerations } from '../app.ts'
import { ConfigError } from '../config/error.ts'
import type { Context } from '../domain/ports/context.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { fromYaml, toYaml } from '../exchange/documents.ts'
import type { ModelChange, ModelFiles } from '../http/app/generation.ts'
import { createContext } from './context.ts'
import { print, withTables } from './database.ts'
import { withProgress } from './progress.ts'

/** Exit code of `diff` if there are differences. */
export const differs = 3

type SnapshotOptions = { format?: 'json' | 'yaml'; output?: string; include?: string; exclude?: string }

export const printSnapshot = (options: SnapshotOptions): Promise<void> =>
  withContext(async (ctx, model) => {
    const format =
      options.format ?? (options.output !== undefined && extname(options.output) === '.json' ? 'json' : 'yaml')
    const snapshot = model.snapshot(ctx, options)
    const text = format === 'json' ? `${JSON.stringify(snapshot, null, 2)}\n` : toYaml(snapshot)
    if (options.output === undefined) process.stdout.write(text)
    else await writeFile(options.output, text)
  })

export const takeSnapshot = (): Promise<unknown> => withContext(async (ctx, model) => model.snapshot(ctx, {}))

/** Prints the differences; resolves to the exit code. */
export async function printDiff(file: string, options: { force: boolean; json: boolean }): Promise<number> {
  const input = await readModelFile(file)
  return withContext(async (ctx, model) => {
    const comparison = compareFile(ctx, model, { file, snapshot: input, force: options.force })
    if (options.json) print(JSON.stringify(comparison?.diff ?? null, null, 2))
    else printPlan(comparison)
    return comparison === null ? 0 : differs
  })
}

type ApplyOptions = { readonly force: boolean; readonly dryRun: boolean; readonly yes: boolean }

/** Prints the changes, asks for confirmation and applies them. */
export async function applySnapshot(file: string, { force, dryRun, yes }: ApplyOptions): Promise<void> {
  const input = await readModelFile(file)
  await withContext(async (ctx, model) => {
    const comparison = compareFile(ctx, model, { file, snapshot: input, force })
    printPlan(comparison)
    if (comparison === null || dryRun) return
    if (!yes && !(await confirm('Apply these changes?'))) return
    await withProgress('Applying', () => comparison.apply())
    print('Applied.')
  })
}

type SnapshotFile = { readonly file: string; readonly snapshot: unknown; readonly force: boolean }

function compareFile(ctx: Context, model: ModelFiles, { file, snapshot, force }: SnapshotFile): ModelChange | null {
  try {
    return model.compare(ctx, snapshot, force)
  } catch (error) {
    const [failure] = error instanceof TandemError ? error.failures : []
    if (failure?.kind !== 'invalid-payload') throw error
    throw new Error(`${file}: ${failure.reason}`, { cause: error })
  }
}

function printPlan(change: ModelChange | null): void {
  if (change === null) print('Nothing differs.')
  else for (const line of change.lines) print(line)
}

/** Asks on the terminal, and says so if nothing is done then. Throws where standard input is no terminal. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new ConfigError('--yes', 'this option, as standard input is no terminal to confirm at', 'none')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const isConfirmed = /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
    if (!isConfirmed) print('Nothing was changed.')
    return isConfirmed
  } finally {
    terminal.close()
  }
}

/** Reads the file before the database is opened, which takes seconds. */
async function readModelFile(file: string): Promise<unknown> {
  const expected = 'a file of "tandem schema snapshot", YAML or JSON'
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(file, expected, error.code === 'ENOENT' ? 'no such file' : (error.code ?? error.message))
  })
  const document = parsed(file, text)
  const parts = (typeof document === 'object' && document !== null ? document : {}) as {
    readonly [part: string]: unknown
  }
  const missing = ['collections', 'fields', 'relations'].find((part) => !Array.isArray(parts[part]))
  if (missing !== undefined) throw new ConfigError(file, expected, `a document without a list of ${missing}`)
  return document
}

function parsed(file: string, text: string): unknown {
  try {
    return fromYaml(text)
  } catch (error) {
    throw new ConfigError(file, 'YAML or JSON', (error as Error).message)
  }
}

const withContext = <T>(work: (ctx: Context, model: ModelFiles) => Promise<T>): Promise<T> =>
  withTables(async (db, config) => {
    const generation = (await loadGenerations(config)).find(({ modelFiles }) => modelFiles !== undefined)
    if (generation?.modelFiles === undefined) throw new Error('No generation supports snapshots')
    return work(await createContext(db, config, { generation, command: 'tandem schema' }), generation.modelFiles)
  })
