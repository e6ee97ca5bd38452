/** Imports another project: model, rights, files and rows, in an order in which the targets of references exist first. */
import { moveSequences } from '../../core/model/move-sequences.ts'
import type { Context } from '../../domain/ports/context.ts'
import {
  type ImportOptions,
  type ImportReport,
  type ImportSource,
  type ProjectImport,
  type SourceOptions,
  SourceRefusal,
  type SourceRow,
} from '../../domain/ports/import-source.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { entryKey } from '../sync/schema-snapshot.ts'
import { createView } from '../views/schema-view.ts'
import { createFileImporter } from './import-files.ts'
import { applyModel, type ModelStep, readModel, requireFields } from './import-model.ts'
import { type Step, stepsOf, systemOrder } from './import-order.ts'
import { createReport, reasonOf } from './import-report.ts'
import { createRowImporter, type RowImporter, writeDeferred } from './import-rows.ts'
import { createShareImporter } from './import-shares.ts'
import { createUserImporter, importSecrets } from './import-users.ts'
import { createVersionImporter } from './import-versions.ts'
import { accessOf, isOlderRole, plainPermission, plainRole, policiesOf } from './older-roles.ts'
import { commentsOf, olderComments, versionsOf, webhooksOf } from './older-rows.ts'
import { markFailed, type Session } from './session.ts'

/** Collections of the platform that Tandem does not have, or that belong to the past of the other server. */
const leftOut: readonly (readonly [collection: string, why: string, isMissed?: true])[] = [
  ['flows', 'there are no flows here', true],
  ['operations', 'there are no flows here', true],
  ['extensions', 'extensions of the other platform do not run here', true],
  ['activity', 'the history stays with the other server'],
  ['revisions', 'the history stays with the other server'],
  ['notifications', 'they belong to the other server'],
]

/** For the command line. */
export const projectImport: ProjectImport = {
  async plan(ctx, source) {
    const model = await readModel(ctx, source)
    const names = systemOrder.flatMap((name) => (name === null ? model.collections : [name]))
    const lines = [
      model.lines.length === 0 ? 'The data model is here already.' : 'Data model:',
      ...model.lines,
      'Rows:',
    ]
    for (const name of names) {
      const count = (await source.count(theirs(name))) ?? (await countElsewhere(source, name))
      lines.push(`  ${name}: ${count ?? 'not shown by the source'}`)
    }
    const tables = model.leftOut.map((name) => `Not taken: the table ${name}; ${oddKey}`)
    return { lines: [...lines, ...tables, ...model.misses, ...(await describeLeftOut(source)).map(({ line }) => line)] }
  },

  async run(ctx, source, options) {
    const model = await readModel(ctx, source)
    const unindexed = (await applyModel(ctx, model)).map(
      (address) => `Not taken: the index of ${entryKey(address)}; the field does not exist here`,
    )
    const misses = [...model.misses, ...unindexed]
    const schema = await ctx.schemas.refresh()
    return importRows({ ...ctx, schema, view: createView(schema) }, { source, options, model: { ...model, misses } })
  },
}

const oddKey = 'its key is not one column'

type Importing = { readonly source: ImportSource; readonly options: ImportOptions; readonly model: ModelStep }

async function importRows(ctx: Context, { source, options, model }: Importing): Promise<ImportReport> {
  const reporting = createReport()
  const log = { ...ctx.log, warn: (detail: object, message: string) => reporting.note(noteOf(detail, message)) }
  const session: Session = { ctx: { ...ctx, log }, source, options, reporting, sameUsers: new Map(), gone: new Map() }
  for (const miss of model.misses) reporting.miss(miss)
  const steps = stepsOf(ctx.schema, model.collections)
  for (const step of steps) {
    await importTable(session, step, model)
    if (step.collection.name === 'platform_users') await importSecrets(session, step)
  }
  for (const step of steps) {
    if (step.deferred.size > 0)
      await forEachPage(session, step, model, (rows) =>
        importEach(session, step, rows, (some) => writeDeferred(session, step, some)),
      )
  }
  await requireAll(session, model)
  await moveSequences(
    ctx,
    steps.map(({ collection }) => collection),
  )
  for (const name of model.leftOut) {
    reporting.table(name).source = (await source.count(name)) ?? 0
    reporting.miss(`Not taken: the table ${name}; ${oddKey}`)
  }
  for (const { line, isMissed } of await describeLeftOut(source)) {
    if (isMissed) reporting.miss(line)
    else reporting.note(line)
  }
  return reporting.report()
}

/** Fields with rows that still lack the value stay as they are, which is reported. */
async function requireAll({ ctx, reporting }: Session, model: ModelStep): Promise<void> {
  try {
    await requireFields(ctx, model)
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures[0].kind === 'unavailable') throw error
    for (const address of model.circles)
      reporting.miss(`Required there and not here: ${entryKey(address)}; ${reasonOf(error)}`)
  }
}

const noteOf = (detail: object, message: string): string => {
  const { reason } = detail as { readonly reason?: unknown }
  return typeof reason === 'string' ? `${message}: ${reason}` : message
}

async function importTable(session: Session, step: Step, model: ModelStep): Promise<void> {
  const { collection } = step
  if (collection.keyColumns.length !== 1) {
    session.reporting.miss(`${collection.name}: rows without a key of one column are not imported`)
    return
  }
  const counts = session.reporting.table(collection.name)
  const take = await takerOf(session, step)
  let done = 0
  await forEachPage(session, step, model, async (rows) => {
    counts.source += rows.length
    await importEach(session, step, rows, take)
    done += rows.length
    session.options.onProgress(collection.name, done)
  })
  const sourceCount = collection.singleton ? null : await session.source.count(theirs(collection.name))
  if (sourceCount !== null && sourceCount > done && !derived.has(collection.name))
    session.reporting.miss(`${collection.name}: the source has ${sourceCount} rows and showed ${done}`)
}

/** Earlier versions have no such rows, or count rows of the system itself. */
const derived: ReadonlySet<string> = new Set(['platform_policies', 'platform_access', 'platform_permissions'])

const takers: { readonly [collection: string]: (session: Session, step: Step) => Promise<RowImporter> | RowImporter } =
  {
    platform_users: createUserImporter,
    platform_files: createFileImporter,
    platform_shares: createShareImporter,
    platform_versions: createVersionImporter,
  }

const takerOf = (session: Session, step: Step): Promise<RowImporter> | RowImporter =>
  (takers[step.collection.name] ?? createRowImporter)(session, step)

/** Rows that cannot be taken are named, and the others go on. Without the database, nothing goes on. */
async function importEach(session: Session, step: Step, rows: readonly SourceRow[], take: RowImporter): Promise<void> {
  try {
    await take(rows)
  } catch (error) {
    if (error instanceof TandemError && error.failures[0].kind === 'unavailable') throw error
    const { name, primaryKey } = step.collection
    if (rows.length === 1) markFailed(session, name, rows[0]?.[primaryKey], error)
    else for (const row of rows) await importEach(session, step, [row], take)
  }
}

/** A collection that the source does not show is noted and left out. */
async function forEachPage(session: Session, step: Step, model: ModelStep, work: RowImporter): Promise<void> {
  const { collection } = step
  try {
    for await (const rows of pagesOf(session.source, step, model)) await work(rows)
  } catch (error) {
    if (!(error instanceof SourceRefusal)) throw error
    if (error.isAbsent) session.reporting.note(`${collection.name}: ${error.message}`)
    else session.reporting.miss(`${collection.name}: ${error.message}`)
  }
}

async function* pagesOf(source: ImportSource, { collection }: Step, { fields }: ModelStep) {
  const { name, primaryKey: key, system, singleton } = collection
  const options: SourceOptions = {
    collection: theirs(name),
    fields: system ? null : (fields.get(name) ?? null),
    key: singleton ? null : key,
  }
  const adopt = adopters[name]
  if (adopt !== undefined) yield* adopt(source, options)
  else
    for await (const rows of source.rows(options))
      yield rows.filter((row) => isRow(row, key) || (singleton && !(key in row)))
}

/** An empty singleton is shown with the key null. */
const isRow = (row: SourceRow, key: string): boolean => (row[key] ?? null) !== null

type Pages = AsyncIterable<readonly SourceRow[]>

/** Collections that earlier versions have in another form. */
const adopters: { readonly [collection: string]: (source: ImportSource, options: SourceOptions) => Pages } = {
  async *platform_roles(source, sourceOptions) {
    for await (const rows of source.rows(sourceOptions))
      yield rows.map((row) => (isOlderRole(row) ? plainRole(row) : row))
  },
  platform_policies: (source, options) => orOfRoles(source, options, policiesOf),
  platform_access: (source, options) => orOfRoles(source, options, accessOf),
  async *platform_permissions(source, options) {
    // Rows of the system itself are shown without a key.
    for await (const rows of source.rows(options))
      yield rows.filter((row) => isRow(row, 'id') && row['system'] !== true).map(plainPermission)
  },
  platform_comments: commentsOf,
  platform_versions: versionsOf,
  platform_webhooks: webhooksOf,
}

async function* orOfRoles(
  source: ImportSource,
  options: SourceOptions,
  derive: (roles: readonly SourceRow[]) => readonly SourceRow[],
): Pages {
  const roles: SourceRow[] = []
  for await (const rows of source.rows({ ...options, collection: 'directus_roles' })) roles.push(...rows)
  if (roles.some(isOlderRole)) yield derive(roles)
  else yield* source.rows(options)
}

const countElsewhere = (source: ImportSource, name: string): Promise<number | null> =>
  name === 'platform_comments' ? source.count(olderComments.collection, olderComments.filter) : Promise.resolve(null)

const theirs = (name: string): string => name.replace(/^platform_/, 'directus_')

/** `isMissed`: something that the project does there and not here. */
type LeftOutLine = { readonly line: string; readonly isMissed: boolean }

async function describeLeftOut(source: ImportSource): Promise<readonly LeftOutLine[]> {
  const lines: LeftOutLine[] = []
  for (const [name, why, isMissed = false] of leftOut) {
    const count = await source.count(`directus_${name}`)
    if (count !== null && count > 0) lines.push({ line: `Not taken: ${count} ${name}; ${why}`, isMissed })
  }
  return lines
}
