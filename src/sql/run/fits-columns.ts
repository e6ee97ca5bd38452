/** Whether the columns of a table take the values of a row. */
import type { Row } from '../../domain/ports/row-store.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { tableName } from '../conditions/build.ts'
import { dialectOf } from '../dialects/dialects.ts'
import type { WriteContext } from './writes.ts'

/** Whether the types of the row's columns, and the domains within them, take its values. Writes nothing. */
export async function fitsColumns(
  { db }: Pick<WriteContext, 'db'>,
  collection: Collection,
  row: Row,
): Promise<boolean> {
  const { writes } = dialectOf(db)
  const text = writes.fits(tableName(collection), '$1')
  try {
    await db.run({ text, values: [JSON.stringify(row)] })
    return true
  } catch {
    return false
  }
}
