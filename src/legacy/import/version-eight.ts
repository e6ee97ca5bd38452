/** Takes an installation of version 8 over: plan, import, and verification. */

import { checksumHere } from '../../core/imports/mirror-checksums.ts'
import { mirrorRows } from '../../core/imports/mirror-rows.ts'
import {
  countOwnWrites,
  createMirror,
  definitionOf,
  dropKey,
  dropMirror,
  findSettingsRow,
  findTables,
  linkRevisions,
  noteBrought,
  readBrought,
  readMirrored,
  readNumbers,
} from '../../core/imports/tables-here.ts'
import type { Context, Database } from '../../domain/ports/context.ts'
import type {
  InstallationImport,
  InstallationOptions,
  InstallationReport,
} from '../../domain/ports/installation-import.ts'
import { type ContentsReport, contentsMirror, copyContents, type StoredFile, storedOf } from './contents.ts'
import { finish } from './finish.ts'
import { noteSystemTables } from './in-place.ts'
import { makeRoom } from './make-room.ts'
import { describePlan, notesOf, type Plan, readPlan, refusal, walkOf } from './plan.ts'
import { type ImportReport, isComplete, linesOf, type TableReport } from './report.ts'
import type { ImportState, Step } from './step.ts'
import { walkSteps } from './steps.ts'

export const installationImport: InstallationImport = {
  plan: async (ctx, options) => describePlan(ctx, options, await readPlan(ctx, options)),
  run: async (ctx, options) => toReport(await runImport(ctx, options, await readPlan(ctx, options), { dry: false })),
  verify: async (ctx, options) => toReport(await runImport(ctx, options, await readPlan(ctx, options), { dry: true })),
}

const toReport = (report: ImportReport): InstallationReport => ({
  json: report,
  lines: linesOf(report),
  isComplete: isComplete(report),
})

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
        const report = await takeStep(db, step, { installation: options, plan, dry })
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
    notes: [...notesOf(plan), ...notes],
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
      await noteBrought(inner, { name: here.name, source: source.name, definition })
      await createMirror(inner, here)
    })
  }
  if (inPlace) await noteSystemTables(db, source, plan.installation)
  await makeRoom(db, source, plan)
}

type TakeOptions = { readonly installation: InstallationOptions; readonly plan: Plan; readonly dry: boolean }

async function takeStep(
  db: Database,
  { name, mirror, rows, options = {} }: Step,
  { installation, plan, dry }: TakeOptions,
): Promise<TableReport> {
  const onProgress = (done: number): void => installation.onProgress(name, done)
  const done = await mirrorRows(db, mirror, rows, { ...options, dry, onProgress })
  const here = await checksumHere(db, mirror, options)
  const isSame = here.checksum === done.checksum
  const rest = isSame || dry ? done : await mirrorRows(db, mirror, rows, { ...options, dry: true })
  // A dry run tells only rows that are refused without being tried, and counts them no other way.
  const differing = isSame ? 0 : rest.created + rest.updated + rest.deleted + rest.refused.length
  if (!dry) {
    const definition = plan.tables.find((table) => table.here.name === mirror.table)
    await noteBrought(db, {
      name: mirror.table,
      source: installation.source.name,
      definition: definition === undefined ? null : definitionOf(definition.here),
      highest: /^\d{1,15}$/.test(done.last ?? '') ? Number(done.last) : null,
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
  const target = { from: filesInPlace ? null : files, to, dry }
  return copyContents(storedFiles(ctx.db, highest), target, (done) => onProgress('files', done))
}

/** Servers that run see new tables and new rights. */
async function announceChange(ctx: Pick<Context, 'db' | 'forgetActors' | 'schemas'>): Promise<void> {
  await ctx.schemas.announce(ctx.db)
  await ctx.forgetActors()
}
