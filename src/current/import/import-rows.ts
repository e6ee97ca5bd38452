/** Writes rows of another project page by page. Rows that are here already stay, or are overwritten if that is wished. */
import { writeItems } from '../../core/items/items.ts'
import type { SourceRow } from '../../domain/ports/import-source.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { openForWork } from '../wire/collections.ts'
import { parseCreate, parseUpdateMany } from '../wire/mutation.ts'
import type { Step } from './import-order.ts'
import { isSame, type Payload, toPayload } from './import-payload.ts'
import { keyText, presentBy, presentRows } from './present-rows.ts'
import { markFailed, type Session } from './session.ts'

/** System collections whose keys are numbers of no meaning: these fields together say which row is meant. */
const identities: { readonly [collection: string]: readonly string[] } = {
  platform_access: ['role', 'user', 'policy'],
  platform_permissions: ['policy', 'collection', 'action'],
  platform_webhooks: ['name', 'url'],
  platform_presets: ['user', 'role', 'collection', 'bookmark'],
}

/** Its only row is here from the beginning. */
const settings = 'platform_settings'

/** Finds the rows here for rows there, in the same order. */
type Finder = (payloads: readonly Payload[]) => Promise<readonly (SourceRow | undefined)[]>

/** Writes one page after another. */
export type RowImporter = (rows: readonly SourceRow[]) => Promise<void>

export async function createRowImporter(session: Session, step: Step): Promise<RowImporter> {
  const { collection, deferred } = step
  const counts = session.reporting.table(collection.name)
  const find = Object.hasOwn(identities, collection.name)
    ? await byIdentity(session, collection)
    : byKey(session, collection)
  return async (rows) => {
    const payloads = rows.map((row) => toPayload(session, collection, row))
    const present = await find(payloads)
    const fresh = payloads.flatMap((payload, at) => (present[at] === undefined ? [without(payload, deferred)] : []))
    const created = await create(session, collection, fresh)
    const old = payloads.flatMap((payload, at) => {
      const row = present[at]
      return row === undefined ? [] : [{ payload: without(payload, deferred), row }]
    })
    const isUpdated = session.options.update || collection.name === settings
    const updated = isUpdated ? await update(session, collection, old) : 0
    counts.created += created
    counts.updated += updated
    counts.here += old.length + created
  }
}

const without = (payload: Payload, names: ReadonlySet<string>): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !names.has(name)))

function byKey({ ctx }: Session, collection: Collection): Finder {
  const { primaryKey: field } = collection
  return async (payloads) => {
    if (collection.singleton) {
      const [first] = await presentRows(ctx, collection)
      return payloads.map(() => first)
    }
    const present = await presentBy(ctx, collection, { field, values: payloads.map((each) => each[field]) })
    return payloads.map((each) => present.get(keyText(each[field])))
  }
}

/** The first row there is the first row here with the same identity, and so on. New rows get keys of their own. */
async function byIdentity({ ctx }: Session, collection: Collection): Promise<Finder> {
  const names = identities[collection.name] as readonly string[]
  const identityOf = (row: SourceRow): string => JSON.stringify(names.map((name) => row[name] ?? null))
  const left = Map.groupBy(await presentRows(ctx, collection), identityOf)
  return (payloads) =>
    Promise.resolve(
      payloads.map((payload) => {
        delete payload[collection.primaryKey]
        return left.get(identityOf(payload))?.shift()
      }),
    )
}

/** Returns the number of rows. If a page cannot be written, its rows are written one by one. */
async function create(session: Session, collection: Collection, payloads: readonly Payload[]): Promise<number> {
  if (payloads.length === 0) return 0
  const opened = openForWork(session.ctx, collection.name)
  const write = (items: readonly Payload[]) => writeItems(session.ctx, parseCreate(items, opened))
  try {
    return (await write(payloads)).length
  } catch (error) {
    if (payloads.length === 1) {
      markFailed(session, collection.name, payloads[0]?.[collection.primaryKey], error)
      return 0
    }
  }
  let count = 0
  for (const each of payloads) count += await create(session, collection, [each])
  return count
}

type PlannedPair = { readonly payload: Payload; readonly row: SourceRow }

/** Overwrites the rows that differ; returns their number. */
async function update(session: Session, collection: Collection, pairs: readonly PlannedPair[]): Promise<number> {
  const { primaryKey } = collection
  let count = 0
  for (const { payload, row } of pairs) {
    const { [primaryKey]: _key, ...values } = payload
    const changed = Object.keys(values).filter((name) => !isSame(values[name], row[name]))
    if (changed.length > 0)
      count += await write(session, collection, {
        ...only(values, [...changed, ...stampsOf(collection)]),
        [primaryKey]: row[primaryKey],
      })
  }
  return count
}

/** Updates one row by the key in its payload. */
async function write(session: Session, collection: Collection, payload: Payload): Promise<number> {
  try {
    await writeItems(session.ctx, parseUpdateMany([payload], openForWork(session.ctx, collection.name)))
    return 1
  } catch (error) {
    session.reporting.lose(collection.name, payload[collection.primaryKey], error)
    return 0
  }
}

/** Fills in references that waited, where they are still null. Times and authors of the last change stay. */
export async function writeDeferred(session: Session, { collection, deferred }: Step, rows: readonly SourceRow[]) {
  const { primaryKey: field } = collection
  const payloads = rows.map((row) => toPayload(session, collection, row))
  const waiting = payloads.filter((each) => [...deferred].some((name) => (each[name] ?? null) !== null))
  const present = await presentBy(session.ctx, collection, { field, values: waiting.map((each) => each[field]) })
  for (const payload of waiting) {
    const row = present.get(keyText(payload[field]))
    const names = [...deferred].filter((name) => (payload[name] ?? null) !== null && (row?.[name] ?? null) === null)
    if (row === undefined || names.length === 0) continue
    await write(session, collection, only(payload, [field, ...names, ...stampsOf(collection)]))
  }
}

const only = (payload: Payload, names: readonly string[]): Payload =>
  Object.fromEntries(names.flatMap((name) => (name in payload ? [[name, payload[name]]] : [])))

const stampsOf = ({ fields }: Collection): readonly string[] =>
  [...fields.values()]
    .filter(({ special }) => special.some((each) => each.endsWith('-updated')))
    .map(({ name }) => name)
