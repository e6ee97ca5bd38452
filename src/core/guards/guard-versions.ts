/** Checks versions that clients write directly: fields that only the server sets, and the item of the version. */
import { findReadGrant, isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { WriteLog, Written } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { beginVersion, findVersionItems, type VersionItem } from '../../sql/statements/versions.ts'
import { isVisible } from '../rows/has-row.ts'
import { notFound, toKey } from '../rows/keys.ts'
import type { ChangedItem } from '../rows/touched-collections.ts'
import { digestItem, versionedCollection, versionsCollection } from '../rows/versioned.ts'
import { type JudgedWrite, judgeWritten } from './judge-written.ts'

/** Set by the server when a version is created, changed and saved. */
const setByServer = ['delta', 'hash', 'date_created', 'date_updated', 'user_created', 'user_updated'] as const

/** Fields that direct updates cannot change. */
export const versionFacts: ReadonlySet<string> = new Set([...setByServer, 'collection', 'item'])

/**
 * Does the work in one transaction and checks the written versions. Throws `invalid-payload`, `unprocessable` for
 * collections without versions and for a key that the item already has, and `item-not-found` for an invisible item or
 * collection.
 */
export async function guardVersions(
  ctx: Context,
  log: WriteLog,
  { items, work }: { readonly items: readonly ChangedItem[]; readonly work: JudgedWrite['work'] },
): Promise<readonly Key[]> {
  for (const { collection, changes } of items) {
    if (collection !== versionsCollection || ctx.actor.kind === 'system') continue
    for (const name of setByServer) if (changes.has(name)) throw refused(name, 'no value')
  }
  return judgeWritten(ctx, log, { collection: versionsCollection, work: (inner) => unique(work(inner)), judge })
}

const refused = (name: string, expected: string): TandemError =>
  invalidPayload(name, `Expected ${expected} for field "${name}"`)

async function unique<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const [{ kind, ...failure }] = error.failures
    const isTaken = kind === 'not-unique' && 'collection' in failure && failure.collection === versionsCollection
    if (!isTaken) throw error
    const reason = 'The item has a version of this key already'
    throw new TandemError({ kind: 'unprocessable', reason }, { cause: error })
  }
}

async function judge(ctx: Context, { kind, columns, keys }: Written): Promise<void> {
  if (kind === 'delete') return
  if (kind !== 'insert') {
    for (const name of ['collection', 'item']) if (columns.includes(name)) throw refused(name, 'no other value')
    return
  }
  for (const version of await findVersionItems(ctx.db, keys)) await begin(ctx, version)
}

/** Stores the item of a new version, and the hash of the item at this time. */
async function begin(ctx: Context, { id, collection: name, item }: VersionItem): Promise<void> {
  // A collection that the caller may not read stays hidden: neither its existence nor its versions are revealed.
  if (findReadGrant(ctx.actor, ctx.schema, name) === null && !isUnlimited(ctx.actor)) throw notFound(name)
  const collection = versionedCollection(ctx, name)
  const key = toKey(collection, item)
  // A concurrent deletion of the item waits, and then deletes the version too.
  await ctx.rows.lock(ctx, collection, { keys: [key], foreign: [], fields: [] })
  if (!(await isVisible(ctx, collection, key))) throw notFound(name)
  const hash = await digestItem(ctx, collection, key)
  await unique(beginVersion(ctx.db, { id, item: String(key), hash }))
}
