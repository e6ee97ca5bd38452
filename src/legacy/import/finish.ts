/** What an import does when all rows are there. */

import { createIndexes, createKey, findDangling, moveSequence, settleCounter } from '../../core/imports/tables-here.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { PlannedKey } from '../../domain/ports/table-source.ts'
import { identityCollections } from '../../domain/schema/identity.ts'
import { identityOf } from './names.ts'
import type { Plan } from './plan.ts'
import type { KeyReport } from './report.ts'
import type { Tell } from './rows/drafts.ts'

/** Indexes, foreign keys where the rows allow them, and sequences behind the greatest keys. */
export async function finish(
  db: Database,
  { tables, keys, installation }: Plan,
  tell: Tell,
): Promise<readonly KeyReport[]> {
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

const counted = 'activity activity_seen revisions role_levels presets webhooks fields relations'
  .split(' ')
  .map((name) => `platform_${name}`)

async function makeKey(db: Database, key: PlannedKey): Promise<KeyReport> {
  const reference = { table: key.table, column: key.columns.join(','), target: key.target }
  try {
    const { count, values } = await findDangling(db, key)
    if (count > 0)
      return { ...reference, fault: `${count} × names a row that is not there: ${values.map(visible).join(', ')}` }
    await createKey(db, key)
    return { ...reference, fault: null }
  } catch (error) {
    return { ...reference, fault: reasonOf(error) }
  }
}

const visible = (value: string): string => (value.trim() === '' ? JSON.stringify(value) : value)

/** What the database says, where it is known. */
const reasonOf = (error: unknown): string =>
  ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message
