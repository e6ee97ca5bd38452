/** What an import would do: the installation that it reads, and the lines that say so. */

import { type Brought, findTables, readBrought, replacedMark } from '../../core/imports/tables-here.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { InstallationOptions, PlanContext } from '../../domain/ports/installation-import.ts'
import type { PlannedKey, TableSource } from '../../domain/ports/table-source.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { IdentityCollection } from '../../domain/schema/identity.ts'
import { toUuid } from '../../tokens/digest.ts'
import { hashToken, shortDigest } from '../../tokens/opaque.ts'
import { type FoundContents, findContents, type StoredFile, storedOf } from './contents.ts'
import { servedInPlace } from './in-place.ts'
import { type Installation, readInstallation } from './installation.ts'
import { identityOf, isSystemTable } from './names.ts'
import { readRecords } from './records.ts'
import { describeFound } from './report.ts'
import { keysOf, type OwnTable, planTables } from './rows/tables.ts'
import type { ImportState } from './step.ts'
import { walkSteps } from './steps.ts'
import { createValueReport } from './value-report.ts'

export type Plan = {
  readonly installation: Installation
  readonly tables: readonly OwnTable[]
  readonly brought: ReadonlyMap<string, Brought>
  readonly keys: readonly PlannedKey[]
  /** The greatest numbers that an import has brought or will bring, by the table here. */
  readonly highest: ReadonlyMap<string, number>
  /** Tables whose names are taken here by tables of the project. */
  readonly taken: readonly string[]
  /** Tables that an earlier import has brought, and that the source has no more. */
  readonly gone: readonly string[]
}

/** Reads the installation and looks at its values. */
export async function readPlan({ db }: Pick<Context, 'db'>, options: InstallationOptions): Promise<Plan> {
  const installation = await readInstallation(options.source, options)
  const tables = options.inPlace ? [] : await planTables(options.source, installation)
  const here = await findTables(db)
  const brought = here.has('platform_imports') ? await readBrought(db) : new Map()
  return {
    installation,
    tables,
    brought,
    highest: await findHighest(options.source, installation, brought),
    keys: keysOf(tables, installation, { ofRelations: options.foreignKeys }),
    taken: tables.map(({ here: { name } }) => name).filter((name) => here.has(name) && !brought.has(name)),
    gone: [...brought.values()].filter((each) => isGone(each, installation) && here.has(each.name)).map(nameOf),
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name

const isGone = ({ name, definition }: Brought, { own }: Installation): boolean =>
  definition !== null && definition !== replacedMark && !own.some((table) => table.name === name)

export const notesOf = ({ installation, tables, gone }: Plan): readonly string[] => [
  ...installation.notes,
  ...tables.flatMap((table) => table.notes),
  ...gone.map((name) => `The table ${name} is not there any more; here it stays as the last import has left it`),
]

/** Of users, roles, files and folders here. */
const greatestNumber = 2 ** 31 - 1

async function findHighest(
  source: TableSource,
  { tables }: Installation,
  brought: ReadonlyMap<string, Brought>,
): Promise<ReadonlyMap<string, number>> {
  const highest = new Map<string, number>()
  for (const table of tables.values()) {
    const identity = identityOf(table.name)
    if (identity === null) continue
    const greatest = (await source.examine(table, ['id'])).get('id')?.greatest ?? 0
    if (Number(greatest) > greatestNumber)
      throw refusal(`Expected numbers up to ${greatestNumber} in ${table.name} but found ${greatest}`)
    highest.set(identity, Math.max(Number(greatest), brought.get(identity)?.highest ?? 0))
  }
  return highest
}

/** What an import would do, as lines; nothing is written. */
export async function describePlan(
  ctx: PlanContext,
  options: InstallationOptions,
  plan: Plan,
): Promise<readonly string[]> {
  const { installation, taken, keys } = plan
  const notes: string[] = []
  const files: StoredFile[] = []
  const lines: string[] = [
    `${options.source.name}: version ${installation.generation}, ${installation.tables.size} tables`,
    ...(options.inPlace ? servedInPlace(installation) : []),
  ]
  const state = walkOf(ctx, options, plan, {
    tell: (note) => notes.push(note),
    numbersOf: (collection) => readSourceNumbers(options.source, installation, collection),
    take: async ({ name, silent, mirror, rows }) => {
      if (silent === true) return
      if (mirror.table === 'platform_files') for await (const page of rows()) files.push(...storedOf(mirror, page))
      const isLarge = !isSystemTable(name) || /activity|revisions/.test(name)
      const count = isLarge ? await options.source.count(name).catch(() => 0) : await countRows(rows())
      lines.push(`  ${name} → ${mirror.table}: ${count} ${count === 1 ? 'row' : 'rows'}`)
    },
    link: async () => undefined,
  })
  await walkSteps(state)
  return [
    ...lines,
    ...keys.map(({ table, columns, target }) => `  foreign key ${table}.${columns.join(', ')} → ${target}`),
    describeFound(await lookForContents(ctx, options, files)),
    ...taken.map(
      (name) => `To decide: the table ${name} is here already, and no import has made it; drop or rename it first`,
    ),
    ...notesOf(plan),
    ...new Set(notes),
  ]
}

/** Null: nobody has said where the contents are. */
async function lookForContents(
  { storage }: PlanContext,
  { files: folder, filesInPlace }: InstallationOptions,
  files: readonly StoredFile[],
): Promise<FoundContents | null> {
  const from = filesInPlace ? storage.locations.get(storage.primary) : folder
  return from == null ? null : findContents(files, from)
}

async function countRows(pages: AsyncIterable<readonly unknown[]>): Promise<number> {
  let count = 0
  for await (const page of pages) count += page.length
  return count
}

async function readSourceNumbers(source: TableSource, { tables }: Installation, collection: IdentityCollection) {
  const table = [...tables.values()].find(({ name }) => identityOf(name) === collection)
  const ids = new Map<string, string>()
  for await (const page of readRecords(source, table, ['id']))
    for (const row of page) ids.set(row['id'] ?? '', row['id'] ?? '')
  return ids
}

type StepTools = Pick<ImportState, 'tell' | 'numbersOf' | 'take' | 'link'>

export const walkOf = (
  ctx: PlanContext,
  { source }: InstallationOptions,
  plan: Plan,
  around: StepTools,
): ImportState => ({
  source,
  installation: plan.installation,
  tables: plan.tables,
  valueReport: createValueReport(),
  hashToken: (token) => hashToken(token, ctx.security.secret),
  externalId: (table, number) => toUuid(shortDigest(`${table} ${number}`, ctx.security.secret)),
  location: ctx.storage.primary,
  settingsRow: 1,
  highest: (table) => plan.highest.get(table) ?? 0,
  ...around,
})

export const refusal = (reason: string): TandemError => new TandemError({ kind: 'unprocessable', reason })
