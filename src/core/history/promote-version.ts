/** Promotes a version: writes its saved changes into the item. */

import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { lockVersion, saveDelta, setVersionHash } from '../../sql/statements/versions.ts'
import { writeItems } from '../items/items.ts'
import { holdsRelated } from '../related/write-run.ts'
import { isVisible } from '../rows/has-row.ts'
import { findKey, notFound, systemCollection } from '../rows/keys.ts'
import { withTransaction } from '../rows/transaction.ts'
import { digestItem, versionsCollection } from '../rows/versioned.ts'
import { fromDelta } from './version-changes.ts'
import { openVersion } from './version-rows.ts'

/** `mainHash`: hash of the item at the comparison. `fields`: core names; absent = all. */
export type Promotion = { readonly mainHash: string; readonly fields?: readonly string[] | undefined }

/**
 * Writes the saved changes into the item in one transaction, with the caller's rights. Throws `unprocessable` if the item
 * has changed since the comparison. The version is kept, with the new hash of the item, but without the promoted changes of
 * related items, which would be written again.
 */
export async function promoteVersion(ctx: Context, id: Key, { mainHash, fields }: Promotion): Promise<Key> {
  return withTransaction(ctx, async (inner) => {
    const lockedKey = findKey(systemCollection(inner, versionsCollection), id)
    if (lockedKey !== null) await lockVersion(inner.db, String(lockedKey))
    const { collection, key, delta, id: versionId } = await openVersion(inner, id)
    await inner.rows.lock(inner, collection, { keys: [key], foreign: [], fields: [] })
    if (!(await isVisible(inner, collection, key))) throw notFound(collection.name)
    if ((await digestItem(inner, collection, key)) !== mainHash) {
      const reason = 'The item has changed since it was compared: expected its present "mainHash"'
      throw new TandemError({ kind: 'unprocessable', reason })
    }
    const promoted = Object.entries(delta).filter(([name]) => fields?.includes(name) ?? true)
    const changes = fromDelta(inner.schema, collection, Object.fromEntries(promoted))
    await writeItems(inner, {
      kind: 'update',
      collection: collection.name,
      target: { kind: 'keys', keys: [key] },
      changes,
    })
    if (holdsRelated(changes)) {
      const rest = Object.entries(delta).filter(([name]) => (changes.get(name)?.kind ?? 'value') === 'value')
      const user = inner.actor.kind === 'user' ? inner.actor.user : null
      await saveDelta(inner.db, 'replace', { id: versionId, delta: Object.fromEntries(rest), now: inner.clock(), user })
    }
    await setVersionHash(inner.db, versionId, await digestItem(inner, collection, key))
    return key
  })
}
