/** `tandem pull`, `plan`, `push` and `init`: a project as files. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readEnvironment } from '../../config/config.ts'
import type { ProjectDocument } from '../../domain/ports/configuration.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { print } from '../database.ts'
import { withProgress } from '../progress.ts'
import { confirm } from '../schema.ts'
import { exampleProject } from './example-project.ts'
import { locateFault } from './locate-fault.ts'
import { linesOf } from './plan-words.ts'
import type { PlanWithClients, ProjectConnection } from './project-connection.ts'
import { type ReadProject, writeProject, writeSchemas } from './project-folder.ts'
import { readAnyProject } from './read-any-project.ts'
import { loadModel, type Target, withConnection } from './with-connection.ts'

/** Exit codes of `plan`: there are changes; a change breaks a client that is counted. */
const differs = 2
const breaks = 3

export const pullProject = (folder: string, target: Target): Promise<void> =>
  withConnection(target, 'tandem pull', async ({ read }) => {
    const count = await writeProject(folder, await loadModel(), await read())
    print(`Wrote ${count} files to ${folder}`)
  })

export type PlanCommandOptions = Target & {
  readonly prune: boolean
  readonly check: boolean
  readonly breaking: boolean
  readonly json: boolean
}

/** Prints what `push` would change, and whom it breaks; resolves to the exit code. */
export async function printPlan(folder: string, options: PlanCommandOptions): Promise<number> {
  const { plan } = await withFolder(folder, options, 'tandem plan', (comparing) =>
    comparePlan(comparing, options.prune),
  )
  if (options.json) print(JSON.stringify(plan, null, 2))
  else for (const line of linesOf(plan, new Date())) print(line)
  if (options.breaking && hasBroken(plan)) return breaks
  const isDrift = options.check && plan.kept.length > 0
  return plan.changes.length > 0 || isDrift ? differs : 0
}

const hasBroken = ({ changes }: PlanWithClients): boolean =>
  changes.some(({ clients }) => clients.some(({ severity }) => severity === 'breaking'))

export type PushCommandOptions = Target & { readonly prune: boolean; readonly yes: boolean }

/** Prints the plan, asks for confirmation and makes all changes in one transaction. */
export const pushProject = (folder: string, { prune, yes, ...target }: PushCommandOptions): Promise<void> =>
  withFolder(folder, target, 'tandem push', async (comparing) => {
    const { plan, ...planned } = await comparePlan(comparing, prune)
    for (const line of linesOf(plan, new Date())) print(line)
    if (plan.changes.length === 0) return
    if (!yes && !(await confirm('Apply these changes?'))) return
    const seen = plan.changes.map(({ words }) => words)
    await withProgress('Applying', () => comparing.connection.push(planned, seen))
    print('Applied.')
  })

/** Writes a small project and the JSON Schemas. */
export async function initProject(folder: string): Promise<void> {
  const present: readonly string[] = await readdir(folder).catch(() => [])
  const conflict = Object.keys(exampleProject).find((path) => present.includes(path.split('/', 1)[0] as string))
  if (conflict !== undefined)
    throw new Error(`${folder}: expected a folder without a project, got one with ${conflict.split('/', 1)[0]}`)
  await writeSchemas(folder, await loadModel())
  for (const [path, text] of Object.entries(exampleProject)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  print(`Wrote a project to "${folder}". Next: tandem push ${folder}`)
}

type ComparedProject = { readonly connection: ProjectConnection; readonly read: ReadProject }

async function comparePlan({ connection, read }: ComparedProject, prune: boolean) {
  const planned = { document: await withStoredSecrets(connection, read), options: { prune, secrets: read.secrets } }
  return { ...planned, plan: await connection.plan(planned) }
}

/** Secrets of the settings whose variable is not set stay what they are. */
async function withStoredSecrets(
  connection: ProjectConnection,
  { document, missing }: ReadProject,
): Promise<ProjectDocument> {
  if (missing.length === 0) return document
  const { settings } = await connection.read()
  const stored = missing.map(({ setting, variable }) => {
    const value = settings?.[setting]
    if (value === undefined)
      throw new Error(`settings.yaml: expected the variable ${variable} for "${setting}", got none`)
    return [setting, value] as const
  })
  return { ...document, settings: { ...document.settings, ...Object.fromEntries(stored) } }
}

/** Reads the files before the database is opened, which takes seconds. */
async function withFolder<T>(
  folder: string,
  target: Target,
  command: string,
  work: (comparing: ComparedProject) => Promise<T>,
): Promise<T> {
  const read = await readAnyProject(folder, await loadModel(), readEnvironment())
  if (read.note !== null) process.stderr.write(`${read.note}\n`)
  return withConnection(target, command, async (connection) => {
    try {
      return await work({ connection, read })
    } catch (error) {
      const location = locateFault((error as Error).message, read.files)
      if (location === null || error instanceof TandemError) throw error
      throw new Error(`${location}: ${(error as Error).message}`, { cause: error })
    }
  })
}
