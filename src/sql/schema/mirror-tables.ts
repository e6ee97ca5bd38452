/** Tables as an import makes them: types, keys and indexes as another database has them. */
import type { Database } from '../../domain/ports/context.ts'
import type { PlannedKey, PlannedTable } from '../../domain/ports/table-source.ts'
import { hashText } from '../../domain/schema/hash-text.ts'
import { quoteName } from '../dialects/quoting.ts'
import { refusalOf } from '../errors/refusals.ts'
import { type MirrorDdl, mysql, mysqlEight, postgres } from './mirror-ddl.ts'

const vendors: { readonly [dialect: string]: MirrorDdl } = { mysql, mysql8: mysqlEight }

const ddlOf = ({ dialect }: Pick<Database, 'dialect'>): MirrorDdl => vendors[dialect] ?? postgres

/** A digest of what the table is; another digest is another table. */
export const definitionOf = ({ indexes: _indexes, ...table }: PlannedTable): string => hashText(JSON.stringify(table))

/** Creates the table with its primary key. Indexes come when it is full. */
export async function createMirror(db: Database, table: PlannedTable): Promise<void> {
  for (const text of ddlOf(db).create(table)) await run(db, text)
}

export const dropMirror = (db: Database, name: string): Promise<void> => run(db, ddlOf(db).drop(name))

/** Returns what the database has refused, by the name of the index. */
export async function createIndexes(db: Database, table: PlannedTable): Promise<ReadonlyMap<string, unknown>> {
  const ddl = ddlOf(db)
  const refused = new Map<string, unknown>()
  for (const index of table.indexes) {
    await inTransaction(db, ddl.index(table, index)).catch((error: unknown) => {
      if (!isDone(db, error)) refused.set(index.name, error)
    })
  }
  await inTransaction(db, ddl.analyze(table.name))
  return refused
}

/** Rows are written in any order, so foreign keys from an earlier run are created again afterwards. */
export const dropKey = (db: Database, key: PlannedKey): Promise<void> =>
  run(db, ddlOf(db).dropKey(key)).catch((error: unknown) => {
    if (!isDone(db, error)) throw error
  })

const isDone = (db: Database, error: unknown): boolean =>
  ddlOf(db).isDone?.has(refusalOf(error)?.sqlState ?? '') === true

export const createKey = (db: Database, key: PlannedKey): Promise<void> => inTransaction(db, ddlOf(db).addKey(key))

/** Values that name no row, at most twenty of them, and how many rows have one. */
export async function findDangling(
  db: Database,
  { table, columns, target, keys }: PlannedKey,
): Promise<{ readonly count: number; readonly values: readonly string[] }> {
  const filled = columns.map((name) => `m.${quoteName(name)} is not null`).join(' and ')
  const same = columns.map((name, at) => `o.${quoteName(keys[at] as string)} = m.${quoteName(name)}`).join(' and ')
  const shown = columns.map((name) => `m.${quoteName(name)}::text`).join(` || ',' || `)
  const { rows } = await db.run({
    text: `select ${shown} as value, count(*)::int as count from ${quoteName(table)} m
      where ${filled} and not exists (select 1 from ${quoteName(target)} o where ${same}) group by 1 order by 1`,
    values: [],
  })
  const counts = rows as readonly { readonly value: string; readonly count: number }[]
  return {
    count: counts.reduce((sum, each) => sum + each.count, 0),
    values: counts.slice(0, 20).map(({ value }) => value),
  }
}

const inTransaction = (db: Database, text: string): Promise<void> =>
  db.transaction(async (inner) => {
    await run(inner, ddlOf(db).noTimeout)
    await run(inner, text)
  })

const run = async (db: Database, text: string): Promise<void> => void (await db.run({ text, values: [] }))
