/** `tandem pull`, `plan`, `push` and `init`: a project as files. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadGenerations } from '../../app.ts'
import { readEnvironment } from '../../config/config.ts'
import type { Config } from '../../config/sections.ts'
import {
  type Plan,
  type PlanOptions,
  planConfiguration,
  pushConfiguration,
  readConfiguration,
} from '../../core/configuration/configuration.ts'
import type { ConfigurationModel, ProjectDocument } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { GenerationDefinition } from '../../http/app/generation.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { createContext } from '../context.ts'
import { print, quietLog, withDatabase } from '../database.ts'
import { withProgress } from '../progress.ts'
import { isAgreed } from '../schema.ts'
import { exampleProject } from './example-project.ts'
import { type ReadProject, readProject, writeProject, writeSchemas } from './project-folder.ts'

/** Exit code of `plan` if there are changes. */
const differs = 2

/** Writes the files of the configured project. */
export const pullProject = (folder: string): Promise<void> =>
  withProject('tandem pull', async (ctx, model) => {
    const count = await writeProject(folder, model, await readConfiguration(ctx, model))
    print(`Wrote ${count} files to ${folder}`)
  })

export type PlanCommandOptions = { readonly prune: boolean; readonly check: boolean; readonly json: boolean }

/** Prints what `push` would change; resolves to the exit code. */
export async function printPlan(folder: string, options: PlanCommandOptions): Promise<number> {
  const { plan } = await withFolder('tandem plan', folder, (comparing) => comparePlan(comparing, options.prune))
  if (options.json) print(JSON.stringify(plan, null, 2))
  else for (const line of linesOf(plan)) print(line)
  const isDrift = options.check && plan.kept.length > 0
  return plan.changes.length > 0 || isDrift ? differs : 0
}

export type PushCommandOptions = { readonly prune: boolean; readonly yes: boolean }

/** Prints the plan, asks for confirmation and makes all changes in one transaction. */
export const pushProject = (folder: string, { prune, yes }: PushCommandOptions): Promise<void> =>
  withFolder('tandem push', folder, async (comparing) => {
    const { plan, document, options } = await comparePlan(comparing, prune)
    for (const line of linesOf(plan)) print(line)
    if (plan.changes.length === 0) return
    if (!yes && !(await isAgreed('Apply these changes?'))) {
      print('Nothing was changed.')
      return
    }
    const { ctx, model } = comparing
    await withProgress('Applying', () => pushConfiguration(ctx, model, { document, options, seen: plan }))
    print('Applied.')
  })

/** The plan as lines for people. */
export function linesOf({ changes, kept }: Plan): readonly string[] {
  return [
    ...(changes.length === 0 ? ['Nothing differs.'] : changes.map(({ words }) => words)),
    ...kept.map((each) => `Stays, as it is in no file: ${each}`),
  ]
}

/** Writes a small project and the JSON Schemas. */
export async function initProject(folder: string): Promise<void> {
  const present: readonly string[] = await readdir(folder).catch(() => [])
  const taken = Object.keys(exampleProject).find((path) => present.includes(path.split('/', 1)[0] as string))
  if (taken !== undefined)
    throw new Error(`${folder}: expected a folder without a project, got one with ${taken.split('/', 1)[0]}`)
  const { configurationModel } = modelOf(await loadGenerations({ systemPrefix: 'platform_' }))
  await writeSchemas(folder, configurationModel)
  for (const [path, text] of Object.entries(exampleProject)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  print(`Wrote a project to ${folder}. Next: tandem push ${folder}`)
}

type Comparing = { readonly ctx: Context; readonly model: ConfigurationModel; readonly read: ReadProject }

async function comparePlan({ ctx, model, read }: Comparing, prune: boolean) {
  const document = await withStoredSecrets(ctx, model, read)
  const options: PlanOptions = { prune, secrets: read.secrets }
  return { document, options, plan: await planConfiguration(ctx, model, { document, options }) }
}

/** Secrets of the settings whose variable is not set stay what they are. */
async function withStoredSecrets(
  ctx: Context,
  model: ConfigurationModel,
  { document, missing }: ReadProject,
): Promise<ProjectDocument> {
  if (missing.length === 0) return document
  const { settings } = await readConfiguration(ctx, model)
  const stored = missing.map(({ setting, variable }) => {
    const value = settings?.[setting]
    if (value === undefined)
      throw new Error(`settings.yaml: expected the variable ${variable} for "${setting}", got none`)
    return [setting, value] as const
  })
  return { ...document, settings: { ...document.settings, ...Object.fromEntries(stored) } }
}

/** Reads the files before the database is opened, which takes seconds. */
async function withFolder<T>(command: string, folder: string, work: (comparing: Comparing) => Promise<T>): Promise<T> {
  const read = await readProject(
    folder,
    modelOf(await loadGenerations({ systemPrefix: 'platform_' })).configurationModel,
    readEnvironment(),
  )
  return withProject(command, (ctx, model) => work({ ctx, model, read }))
}

type Definition = GenerationDefinition & { readonly configurationModel: ConfigurationModel }

function modelOf(generations: readonly GenerationDefinition[]): Definition {
  const found = generations.find((each): each is Definition => each.configurationModel !== undefined)
  if (found === undefined) throw new Error('No generation supports projects as files')
  return found
}

const withProject = <T>(command: string, work: (ctx: Context, model: ConfigurationModel) => Promise<T>): Promise<T> =>
  withDatabase(async (db, config: Config) => {
    const generation = modelOf(await loadGenerations(config))
    await migrate(db, quietLog)
    try {
      return await work(await createContext(db, config, { generation, command }), generation.configurationModel)
    } catch (error) {
      const [failure] = error instanceof TandemError ? error.failures : []
      if (failure?.kind !== 'invalid-payload') throw error
      throw new Error(failure.reason, { cause: error })
    }
  })
