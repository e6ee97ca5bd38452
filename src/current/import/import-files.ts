/** Files with their contents, as streams. */
import { storeAs } from '../../core/files/files.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import type { SourceRow } from '../../domain/ports/import-source.ts'
import { openForWork } from '../wire/collections.ts'
import { parseChanges } from '../wire/mutation.ts'
import type { Step } from './import-order.ts'
import { type Payload, toPayload } from './import-payload.ts'
import type { RowImporter } from './import-rows.ts'
import { keyText, presentBy } from './present-rows.ts'
import { markFailed, type Session, wordOf } from './session.ts'

/** Columns whose values are read from the contents, or set here. */
const own: ReadonlySet<string> = new Set(
  (
    'id storage filename_disk filename_download filesize type width height duration charset checksum tus_id tus_data ' +
    'private_hash'
  ).split(' '),
)

/** Writes files that are not here yet. An interrupted file leaves no row, and is taken again. */
export function createFileImporter(session: Session, { collection, deferred }: Step): RowImporter {
  const counts = session.reporting.table(collection.name)
  return async (rows) => {
    const values = rows.map(({ id }) => id)
    const present = await presentBy(session.ctx, collection, { field: 'id', values })
    for (const row of rows) {
      const isHere = present.has(keyText(row['id']))
      const isTaken = !isHere && (await take(session, row, toPayload(session, collection, row), deferred))
      if (isTaken) counts.created += 1
      if (isHere || isTaken) counts.here += 1
    }
  }
}

/** Earlier versions know only when the contents came. */
function withDates({ created_on, uploaded_on, ...payload }: Payload): Payload {
  const dates = { created_on: created_on ?? uploaded_on, uploaded_on: uploaded_on ?? created_on }
  return { ...payload, ...Object.fromEntries(Object.entries(dates).filter(([, date]) => date != null)) }
}

async function take(
  session: Session,
  row: SourceRow,
  payload: Payload,
  deferred: ReadonlySet<string>,
): Promise<boolean> {
  const { ctx, source } = session
  const { id } = row
  try {
    const stream = await source.contents(row)
    if (stream === null) throw new Error('the source has no contents')
    const message = Object.entries(withDates(payload)).filter(([name]) => !own.has(name) && !deferred.has(name))
    const changes = parseChanges(Object.fromEntries(message), openForWork(ctx, filesCollection))
    const filename = wordOf(row['filename_download'] ?? row['filename_disk'] ?? id)
    const type = wordOf(row['type'] ?? 'application/octet-stream')
    await storeAs(ctx, { filename, type, stream }, { id: wordOf(id), replaces: false, changes })
    return true
  } catch (error) {
    markFailed(session, filesCollection, id, error)
    return false
  }
}
