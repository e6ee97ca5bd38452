/** Takes an installation of version 8 over: plan, import, and verification. */

import { checksumHere } from '../../core/imports/mirror-checksums.ts'
import { mirrorRows } from '../../core/imports/mirror-rows.ts'
import {
  type Brought,
  countOwnWrites,
  createIndexes,
  createKey,
  createMirror,
  definitionOf,
  dropKey,
  dropMirror,
  findDangling,
  findSettingsRow,
  findTables,
  linkRevisions,
  moveSequence,
  noteBrought,
  readBrought,
  readMirrored,
  readNumbers,
  replacedMark,
  settleCounter,
} from '../../core/imports/tables-here.ts'
import type { Context, Database } from '../../domain/ports/context.ts'
import type {
  InstallationImport,
  InstallationOptions,
  InstallationReport,
  PlanContext,
} from '../../domain/ports/installation-import.ts'
import type { PlannedKey, TableSource } from '../../domain/ports/table-source.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type IdentityCollection, identityCollections } from '../../domain/schema/identity.ts'
import { hashToken, keyedDigest } from '../../tokens/opaque.ts'
import {
  type ContentsReport,
  contentsMirror,
  copyContents,
  type FoundContents,
  findContents,
  type StoredFile,
  storedOf,
} from './contents.ts'
import type { Tell } from './drafts.ts'
import { noteSystemTables, servedInPlace } from './in-place.ts'
import { type Installation, readInstallation } from './installation.ts'
import { makeRoom } from './make-room.ts'
import { identityOf, isSystemTable } from './names.ts'
import { readRecords } from './records.ts'
import { describeFound, type ImportReport, isComplete, type KeyReport, linesOf, type TableReport } from './report.ts'
import { type ImportState, type Step, walkSteps } from './steps.ts'
import { keysOf, type OwnTable, planTables } from './tables.ts'
import { createValueReport } from './value-report.ts'

export const installationImport: InstallationImport = {
  plan: async (ctx, options) => describePlan(ctx, options, await readPlan(ctx, options)),
  run: async (ctx, installationOptions) =>
    toReport(await runImport(ctx, installationOptions, await readPlan(ctx, installationOptions), { dry: false })),
  verify: async (ctx, wish) => toReport(await runImport(ctx, wish, await readPlan(ctx, wish), { dry: true })),
}

const toReport = (report: ImportReport): InstallationReport => ({
  json: report,
  lines: linesOf(report),
  isComplete: isComplete(report),
})

type Plan = {
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
async function readPlan({ db }: Pick<Context, 'db'>, options: InstallationOptions): Promise<Plan> {
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

const goneNotes = ({ gone }: Plan): readonly string[] =>
  gone.map((name) => `The table ${name} is not there any more; here it stays as the last import has left it`)

/** Of users, roles, files and folders here. */
const greatestNumber = 2 ** 31 - 1

async function findHighest(
  source: TableSource,
  { tables }: Installation,
  brought: ReadonlyMap<string, Brought>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const table of tables.values()) {
    const identity = identityOf(table.name)
    if (identity === null) continue
    const greatest = (await source.examine(table, ['id'])).get('id')?.greatest ?? 0
    if (Number(greatest) > greatestNumber)
      throw refusal(`Expected numbers up to ${greatestNumber} in ${table.name} but found ${greatest}`)
    found.set(identity, Math.max(Number(greatest), brought.get(identity)?.highest ?? 0))
  }
  return found
}

/** What an import would do, as lines; nothing is written. */
async function describePlan(ctx: PlanContext, options: InstallationOptions, plan: Plan): Promise<readonly string[]> {
  const { installation, tables, taken, keys } = plan
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
    ...installation.notes,
    ...tables.flatMap((table) => table.notes),
    ...goneNotes(plan),
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
  const found = new Map<string, string>()
  for await (const page of readRecords(source, table, ['id']))
    for (const row of page) found.set(row['id'] ?? '', row['id'] ?? '')
  return found
}

type StepTools = Pick<ImportState, 'tell' | 'numbersOf' | 'take' | 'link'>

const walkOf = (ctx: PlanContext, { source }: InstallationOptions, plan: Plan, around: StepTools): ImportState => ({
  source,
  installation: plan.installation,
  tables: plan.tables,
  valueReport: createValueReport(),
  hashToken: (token) => hashToken(token, ctx.security.secret),
  externalId: (table, number) => toUuid(keyedDigest(`${table} ${number}`, ctx.security.secret)),
  location: ctx.storage.primary,
  settingsRow: 1,
  highest: (table) => plan.highest.get(table) ?? 0,
  ...around,
})

/** Hexadecimal digits in the form of a uuid of version 8, whose bits have no meaning. */
const toUuid = (digits: string): string =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')

/** Imports, or with `dry` only compares. */
async function runImport(
  ctx: Context,
  options: InstallationOptions,
  plan: Plan,
  { dry }: { readonly dry: boolean },
): Promise<ImportReport> {
  const started = performance.now()
  const { db } = ctx
  if (!dry) await prepare(ctx, options, plan)
  const notes = new Set<string>()
  const reports: TableReport[] = []
  const state: ImportState = {
    ...walkOf(ctx, options, plan, {
      tell: (note) => notes.add(note),
      numbersOf: (collection) => readNumbers(db, collection),
      take: async (step) => {
        const report = await takeStep(db, step, { wish: options, plan, dry })
        if (step.silent !== true) reports.push(report)
      },
      link: (parents) => (dry ? Promise.resolve() : linkRevisions(db, parents)),
    }),
    settingsRow: await findSettingsRow(db),
  }
  await walkSteps(state)
  const foreignKeys = dry ? [] : await finish(db, plan, state.tell)
  const files = await takeContents(ctx, options, dry)
  if (!dry) await announceChange(ctx)
  return {
    source: options.source.name,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    tables: reports,
    files,
    foreignKeys,
    values: state.valueReport.all(),
    notes: [...plan.installation.notes, ...plan.tables.flatMap((table) => table.notes), ...goneNotes(plan), ...notes],
  }
}

/** Tables as the source has them now; rows that are in the way get other numbers. */
async function prepare(
  ctx: Pick<Context, 'db'>,
  { source, overwrite, inPlace }: InstallationOptions,
  plan: Plan,
): Promise<void> {
  const { db } = ctx
  const { taken, brought, tables, keys } = plan
  if (taken.length > 0)
    throw refusal(
      `Expected names that are free here but ${taken.join(', ')} are there; drop or rename these tables first`,
    )
  const activity = brought.get('platform_activity')
  const writes = activity === undefined || overwrite ? 0 : await countOwnWrites(db, activity.highest ?? 0)
  if (writes > 0)
    throw refusal(
      `Expected no writes since the last ${inPlace ? 'run' : 'import'} but found ${writes}; ${inPlace ? 'their history and changes of system rows' : 'they'} would be lost, which --overwrite allows`,
    )
  for (const key of keys) await dropKey(db, key)
  const existing = await findTables(db)
  for (const { here } of tables) {
    const definition = definitionOf(here)
    if (existing.has(here.name) && brought.get(here.name)?.definition === definition) continue
    // In this order, because on MariaDB each of these ends the transaction.
    await db.transaction(async (inner) => {
      if (brought.has(here.name)) await dropMirror(inner, here.name)
      await noteBrought(inner, {
        name: here.name,
        source: source.name,
        definition,
        highest: null,
        rows: null,
        checksum: null,
      })
      await createMirror(inner, here)
    })
  }
  if (inPlace) await noteSystemTables(db, source, plan.installation)
  await makeRoom(db, source, plan)
}

const refusal = (reason: string): TandemError => new TandemError({ kind: 'unprocessable', reason })

type Taking = { readonly wish: InstallationOptions; readonly plan: Plan; readonly dry: boolean }

async function takeStep(
  db: Database,
  { name, mirror, rows, options = {} }: Step,
  { wish: installationOptions, plan, dry }: Taking,
): Promise<TableReport> {
  const onProgress = (done: number): void => installationOptions.onProgress(name, done)
  const done = await mirrorRows(db, mirror, rows, { ...options, dry, onProgress })
  const here = await checksumHere(db, mirror, options)
  const isSame = here.checksum === done.checksum
  const rest = isSame || dry ? done : await mirrorRows(db, mirror, rows, { ...options, dry: true })
  const differing = isSame ? 0 : rest.created + rest.updated + rest.deleted
  if (!dry) {
    const definition = plan.tables.find((table) => table.here.name === mirror.table)
    await noteBrought(db, {
      name: mirror.table,
      source: installationOptions.source.name,
      definition: definition === undefined ? null : definitionOf(definition.here),
      highest: /^\d{1,15}$/.test(done.last ?? '') ? Number(done.last) : null,
      rows: done.source,
      checksum: done.checksum,
    })
  }
  return {
    table: name,
    here: mirror.table,
    source: done.source,
    taken: here.rows,
    created: dry ? 0 : done.created,
    updated: dry ? 0 : done.updated,
    deleted: dry ? 0 : done.deleted,
    differing,
    refused: done.refused,
    checksums: { source: done.checksum, here: here.checksum },
  }
}

/** Indexes, foreign keys where the rows allow them, and sequences behind the greatest keys. */
async function finish(db: Database, { tables, keys, installation }: Plan, tell: Tell): Promise<readonly KeyReport[]> {
  for (const { here } of tables) {
    for (const [name, error] of await createIndexes(db, here))
      tell(`The index ${name} of ${here.name} is left out: ${reasonOf(error)}`)
  }
  const made: KeyReport[] = []
  for (const key of keys) made.push(await makeKey(db, key))
  for (const { here } of tables) {
    for (const { name, autoIncrement } of here.columns) {
      if (autoIncrement) await moveSequence(db, { schema: null, table: here.name, column: name })
    }
  }
  for (const { name } of installation.tables.values()) {
    const identity = identityOf(name)
    if (identity !== null) await moveSequence(db, { schema: null, table: identity, column: 'number' })
  }
  for (const table of counted) await moveSequence(db, { schema: null, table, column: 'id' })
  for (const table of identityCollections) await settleCounter(db, table)
  return made
}

const counted = [
  'platform_activity',
  'platform_activity_seen',
  'platform_revisions',
  'platform_role_levels',
  'platform_presets',
  'platform_webhooks',
  'platform_fields',
  'platform_relations',
] as const

async function makeKey(db: Database, key: PlannedKey): Promise<KeyReport> {
  const place = { table: key.table, column: key.columns.join(','), target: key.target }
  try {
    const { count, values } = await findDangling(db, key)
    if (count > 0) return { ...place, fault: `${count} × names a row that is not there: ${values.join(', ')}` }
    await createKey(db, key)
    return { ...place, fault: null }
  } catch (error) {
    return { ...place, fault: reasonOf(error) }
  }
}

/** What the database says, where it is known. */
const reasonOf = (error: unknown): string =>
  ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message

async function* storedFiles(db: Database, highest: number): AsyncGenerator<StoredFile> {
  for await (const page of readMirrored(db, contentsMirror)) {
    for (const file of storedOf(contentsMirror, page)) if (Number(file.number) <= highest) yield file
  }
}

async function takeContents(
  ctx: Pick<Context, 'db' | 'storage'>,
  options: InstallationOptions,
  dry: boolean,
): Promise<ContentsReport | null> {
  const { files, filesInPlace, onProgress } = options
  const to = ctx.storage.locations.get(ctx.storage.primary)
  if (to === undefined || (files === null && !filesInPlace)) return null
  const highest = (await readBrought(ctx.db)).get('platform_files')?.highest ?? 0
  const progress = (done: number): void => onProgress('files', done)
  return copyContents(storedFiles(ctx.db, highest), {
    from: filesInPlace ? null : files,
    to,
    dry,
    onProgress: progress,
  })
}

/** Servers that run see new tables and new rights. */
async function announceChange(ctx: Pick<Context, 'db' | 'forgetActors' | 'schemas'>): Promise<void> {
  await ctx.schemas.announce(ctx.db)
  await ctx.forgetActors()
}
