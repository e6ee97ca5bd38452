/** Reads, compares and changes the whole configuration of a project: data model, rights and settings. */

import { isDeepStrictEqual } from 'node:util'
import type { ConfigurationModel, Entry, PlannedChange, ProjectDocument } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { updateItem } from '../items/items.ts'
import { afterwards, changeSchema } from '../model/schema-change.ts'
import { rolledBack } from '../rows/transaction.ts'
import { compareRecords } from './compare-records.ts'
import { assertNamesKnown, type Declarations, toDocument, toWanted } from './documents.ts'
import { readRecords } from './read-records.ts'
import { readAll } from './record-kinds.ts'
import { applyRenames, describeRename, fieldsOf, otherNamesOf, renamesOf, tryRenames } from './renames.ts'
import { tidyEntry } from './tidy-entry.ts'
import { describeValues } from './words.ts'
import { assertSenders, writeRecords } from './write-records.ts'

export type PlanOptions = {
  /** Whether to delete records that are in no file. */
  readonly prune: boolean
  /** Texts that no words may contain. */
  readonly secrets: ReadonlySet<string>
}

/** `kept`: records that are in no file and are not deleted. */
export type Plan = { readonly changes: readonly PlannedChange[]; readonly kept: readonly string[] }

/** The configuration of the project, as its files say it. */
export async function readConfiguration(ctx: Context, model: ConfigurationModel): Promise<ProjectDocument> {
  return toDocument(await readRecords(ctx), model.collections(ctx), await readDeclarations(ctx))
}

/** What would change. Renames are tried in a transaction that is undone. */
export async function planConfiguration(
  ctx: Context,
  model: ConfigurationModel,
  { document: input, options }: { readonly document: ProjectDocument; readonly options: PlanOptions },
): Promise<Plan> {
  const document = model.storedNames(ctx, input)
  const renames = renamesOf(document, ctx.schema)
  const planned = (inner: Context): Promise<Plan> => compareAll(inner, model, { document, options })
  if (renames.length === 0) return planned(ctx)
  const plan = await rolledBack(ctx, async (inner) => planned(await tryRenames(inner, renames)))
  return { ...plan, changes: [...renames.map(describeRename), ...plan.changes] }
}

/**
 * Makes all changes in one transaction, or none; where changes of tables end a transaction, one after another: after a
 * failure, a further push makes the rest. `seen`: the words of the plan that somebody agreed to; throws if they are
 * no longer the same.
 */
export async function pushConfiguration(
  ctx: Context,
  model: ConfigurationModel,
  {
    document: input,
    options,
    seen,
  }: { readonly document: ProjectDocument; readonly options: PlanOptions; readonly seen: readonly string[] },
): Promise<void> {
  const document = model.storedNames(ctx, input)
  await changeSchema(ctx, async (outer) => {
    const renames = renamesOf(document, outer.schema)
    const { changes } = await planConfiguration(outer, model, { document, options })
    const words = changes.map((each) => each.words)
    if (!isDeepStrictEqual(words, seen)) throw changedMeanwhile()
    const inner = await applyRenames(outer, renames)
    const { files } = wantedModel(inner, model, { document, options })
    const compared = model.compare(inner, files, options.secrets)
    await compared.apply(inner)
    const after = await afterwards(inner)
    const records = await compareStored(after, document, options)
    await records.write()
    await writeDeclarations(await afterwards(after), document)
  })
}

const changedMeanwhile = (): TandemError =>
  new TandemError({ kind: 'unprocessable', reason: 'The project has changed since the plan was made; make it anew' })

type Compared = { readonly document: ProjectDocument; readonly options: PlanOptions }

async function compareAll(ctx: Context, model: ConfigurationModel, { document, options }: Compared): Promise<Plan> {
  const wanted = wantedModel(ctx, model, { document, options })
  const { changes } = model.compare(ctx, wanted.files, options.secrets)
  const deleted = new Set(
    changes.flatMap(({ effect, collection, fields }) =>
      effect === 'delete' && fields === null && collection !== null ? [collection] : [],
    ),
  )
  const records = await compareStored(ctx, document, options)
  const own = records.changes.filter(({ collection }) => collection === null || !deleted.has(collection))
  const declared = await declarationChanges(ctx, document)
  return {
    changes: [...changes, ...declared.map(({ planned }) => planned), ...own],
    kept: [...wanted.kept, ...records.kept],
  }
}

/** Without prune, collections and fields that are in no file stay. */
function wantedModel(ctx: Context, model: ConfigurationModel, { document, options }: Compared) {
  const present = model.collections(ctx)
  const { collections } = document
  const others = Object.keys(present).filter((name) => !Object.hasOwn(collections, name))
  const names = options.prune ? [] : others
  const files = Object.entries(collections).map(([name, file]): readonly [string, Entry] => {
    const fields = fieldsOf(file)
    const stored = fieldsOf(present[name])
    const extra = options.prune ? [] : Object.entries(stored).filter(([field]) => !Object.hasOwn(fields, field))
    return [name, { ...file, fields: { ...fields, ...Object.fromEntries(extra) } }]
  })
  return {
    files: Object.fromEntries([...files, ...names.map((name) => [name, present[name] ?? {}] as const)]),
    kept: [
      ...names.map((name) => `collection "${name}"`),
      ...files.flatMap(([name, file]) =>
        Object.keys(fieldsOf(file))
          .filter((field) => !Object.hasOwn(fieldsOf(collections[name]), field))
          .map((field) => `field "${name}.${field}"`),
      ),
    ],
  }
}

async function compareStored(ctx: Context, document: ProjectDocument, { prune, secrets }: PlanOptions) {
  const present = await readRecords(ctx, otherNamesOf(document, await readRecords(ctx)))
  const wanted = toWanted(document, (kind, input) => tidyEntry(ctx, kind, input))
  assertNamesKnown(wanted, present)
  const names = new Set(Object.keys(document.collections))
  const { changes, kept } = compareRecords(present, wanted, {
    prune,
    filed: names,
    secrets,
    fieldsOf: (collection) => [...(ctx.schema.collections.get(collection)?.fields.keys() ?? [])],
  })
  assertSenders(ctx, changes)
  return { changes: changes.map(({ planned }) => planned), kept, write: () => writeRecords(ctx, present, changes) }
}

type Declared = { readonly id: Key; readonly values: Entry }

const usualDeclaration: Entry = { type: null, locked: false, hidden_browse: false }

async function storedDeclarations(ctx: Context): Promise<ReadonlyMap<string, Declared>> {
  const rows = await readAll(ctx, 'platform_fields')
  return new Map(
    rows.map((row) => {
      const values = Object.fromEntries(
        Object.keys(usualDeclaration).flatMap((name) =>
          row[name] === usualDeclaration[name] ? [] : [[name, row[name]]],
        ),
      )
      return [`${String(row['collection'])}.${String(row['field'])}`, { id: row['id'] as Key, values }]
    }),
  )
}

async function readDeclarations(ctx: Context): Promise<Declarations> {
  const stored = await storedDeclarations(ctx)
  return new Map(
    [...stored].filter(([, { values }]) => Object.keys(values).length > 0).map(([key, { values }]) => [key, values]),
  )
}

type DeclarationChange = {
  readonly address: string
  readonly id: Key | null
  readonly after: Entry
  readonly planned: PlannedChange
}

async function declarationChanges(
  ctx: Context,
  { collections }: ProjectDocument,
): Promise<readonly DeclarationChange[]> {
  const stored = await storedDeclarations(ctx)
  return Object.entries(collections).flatMap(([collection, file]) =>
    Object.entries(fieldsOf(file)).flatMap(([field, each]): readonly DeclarationChange[] => {
      const fieldName = `${collection}.${field}`
      const before = { ...usualDeclaration, ...stored.get(fieldName)?.values }
      const after = { ...usualDeclaration, ...(each['version_8'] as Entry | undefined) }
      const names = Object.keys(usualDeclaration).filter((name) => before[name] !== after[name])
      if (names.length === 0) return []
      if (!stored.has(fieldName) && each['display'] === undefined) throw withoutDisplay(fieldName)
      const details = names.map((name) =>
        describeValues(name, { before: before[name], after: after[name], secrets: new Set() }),
      )
      const words = `Change what version 8 sees of field "${fieldName}": ${details.join('; ')}`
      const planned: PlannedChange = {
        words,
        effect: 'change',
        collection,
        fields: [field],
        policy: null,
        ...declarationBreaks(names),
        isOlder: true,
      }
      return [{ address: fieldName, id: stored.get(fieldName)?.id ?? null, after, planned }]
    }),
  )
}

function withoutDisplay(path: string): TandemError {
  const reason = `Expected "display" beside "version_8" of field "${path}", because it is stored with it`
  return new TandemError({ kind: 'unprocessable', reason })
}

/** Another declared type changes the form of values for clients of version 8. */
const declarationBreaks = (names: readonly string[]): Pick<PlannedChange, 'breaks' | 'severity'> =>
  names.includes('type') ? { breaks: ['read', 'update'], severity: 'perhaps' } : { breaks: [], severity: 'safe' }

async function writeDeclarations(ctx: Context, document: ProjectDocument): Promise<void> {
  for (const { address, id, after } of await declarationChanges(ctx, document)) {
    if (id === null) throw withoutDisplay(address)
    await updateItem(ctx, 'platform_fields', id, after)
  }
}
