/** `tandem schema snapshot`, `diff` and `apply`: the data model as a file, for version control. */
import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { loadGenerations } from '../app.ts'
import { ConfigError } from '../config/error.ts'
import type { Context } from '../domain/ports/context.ts'
import { fromYaml, toYaml } from '../exchange/documents.ts'
import type { ModelChange, ModelFiles } from '../http/app/generation.ts'
import { migrate } from '../sql/schema/migrate.ts'
import { createContext } from './context.ts'
import { print, quietLog, withDatabase } from './database.ts'
import { withProgress } from './progress.ts'

/** Exit code of `diff` if there are differences. */
export const differs = 3

type SnapshotWish = { format?: 'json' | 'yaml'; output?: string; include?: string; exclude?: string }

/** Writes the snapshot to a file, or prints it. */
export const printSnapshot = (wish: SnapshotWish): Promise<void> =>
  withContext(async (ctx, model) => {
    const format = wish.format ?? (wish.output !== undefined && extname(wish.output) === '.json' ? 'json' : 'yaml')
    const snapshot = model.snapshot(ctx, wish)
    const text = format === 'json' ? `${JSON.stringify(snapshot, null, 2)}\n` : toYaml(snapshot)
    if (wish.output === undefined) process.stdout.write(text)
    else await writeFile(wish.output, text)
  })

/** The snapshot of the configured database. */
export const takeSnapshot = (): Promise<unknown> => withContext(async (ctx, model) => model.snapshot(ctx, {}))

/** Prints the differences; resolves to the exit code. */
export const printDiff = (file: string, wish: { force: boolean; json: boolean }): Promise<number> =>
  withContext(async (ctx, model) => {
    const found = model.compare(ctx, await readModelFile(file), wish.force)
    if (wish.json) print(JSON.stringify(found?.diff ?? null, null, 2))
    else printPlan(found)
    return found === null ? 0 : differs
  })

type ApplyWish = { readonly force: boolean; readonly dryRun: boolean; readonly yes: boolean }

/** Prints the changes, asks for confirmation and applies them. */
export const applySnapshot = (file: string, { force, dryRun, yes }: ApplyWish): Promise<void> =>
  withContext(async (ctx, model) => {
    const found = model.compare(ctx, await readModelFile(file), force)
    printPlan(found)
    if (found === null || dryRun) return
    if (!yes && !(await isAgreed('Apply these changes?'))) {
      print('Nothing was changed.')
      return
    }
    await withProgress('Applying', () => found.apply())
    print('Applied.')
  })

function printPlan(found: ModelChange | null): void {
  if (found === null) print('Nothing differs.')
  else for (const line of found.lines) print(line)
}

/** Asks on the terminal. Throws where nobody can be asked. */
export async function isAgreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new ConfigError('--yes', 'it where nobody can be asked', 'nothing')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

const readModelFile = async (file: string): Promise<unknown> => fromYaml(await readFile(file, 'utf8'))

const withContext = <T>(work: (ctx: Context, model: ModelFiles) => Promise<T>): Promise<T> =>
  withDatabase(async (db, config) => {
    const generation = (await loadGenerations(config)).find(({ modelFiles }) => modelFiles !== undefined)
    if (generation?.modelFiles === undefined) throw new Error('No generation supports snapshots')
    await migrate(db, quietLog)
    return work(await createContext(db, config, { generation, command: 'tandem schema' }), generation.modelFiles)
  })
