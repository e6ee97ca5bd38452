/** Sequences after rows were written with keys of their own. */
import type { Context } from '../../domain/ports/context.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { moveSequence } from '../../sql/statements/sequences.ts'

/** Moves the sequences of the keys behind their rows, so that new rows get new keys. */
export async function moveSequences({ db }: Pick<Context, 'db'>, collections: readonly Collection[]): Promise<void> {
  for (const { table, fields } of collections) {
    if (table === null) continue
    for (const { column } of fields.values()) {
      if (column?.autoIncrement !== true) continue
      await moveSequence(db, { schema: table.schema, table: table.name, column: column.name })
    }
  }
}
