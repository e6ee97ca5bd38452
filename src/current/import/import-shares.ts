/** Shares, whose links open one item to everybody who has them. */
import { writeItems } from '../../core/items/items.ts'
import { withTransaction } from '../../core/rows/transaction.ts'
import { setPasswordHash } from '../../core/shares/shares.ts'
import type { SourceRow } from '../../domain/ports/import-source.ts'
import { openForWork } from '../wire/collections.ts'
import { parseCreate } from '../wire/mutation.ts'
import type { Step } from './import-order.ts'
import { toPayload } from './import-payload.ts'
import { createRowImporter, type RowImporter } from './import-rows.ts'
import { keyText, presentBy } from './present-rows.ts'
import { markFailed, type Session, wordOf } from './session.ts'

/** Writes shares. A share whose password cannot be read is left out; without its password, it would be open. */
export async function createShareImporter(session: Session, step: Step): Promise<RowImporter> {
  const { ctx, reporting, source } = session
  const { collection } = step
  const take = await createRowImporter(session, step)
  const passwords = (await source.sharePasswords?.()) ?? new Map<string, string>()
  const counts = reporting.table(collection.name)
  return async (rows) => {
    for (const { id } of rows.filter((row) => row['user_created'] == null))
      reporting.note(`The share ${wordOf(id)} has no creator, and opens nothing`)
    const values = rows.map(({ id }) => id)
    const present = await presentBy(ctx, collection, { field: 'id', values })
    const isProtected = (row: SourceRow): boolean => row['password'] != null && !present.has(keyText(row['id']))
    await take(rows.filter((row) => !isProtected(row)))
    for (const row of rows.filter(isProtected)) {
      const hash = passwords.get(keyText(row['id']))
      if (hash === undefined) markFailed(session, collection.name, row['id'], new Error(unreadable))
      else if (await createProtected(session, step, row, hash)) {
        counts.created += 1
        counts.here += 1
      }
    }
  }
}

const unreadable = 'the API of the source does not show their passwords'

async function createProtected(session: Session, { collection }: Step, row: SourceRow, hash: string): Promise<boolean> {
  const payload = toPayload(session, collection, row)
  const opened = openForWork(session.ctx, collection.name)
  try {
    await withTransaction(session.ctx, async (inner) => {
      const [id] = await writeItems(inner, parseCreate([payload], opened))
      await setPasswordHash(inner, String(id), hash)
    })
    return true
  } catch (error) {
    markFailed(session, collection.name, row['id'], error)
    return false
  }
}
