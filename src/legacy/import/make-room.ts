/** Rows that were made here keep what they are, and leave their numbers to rows of the source. */

import { findOwnRows, noteBrought, readAddresses, renumber, shiftSettings } from '../../core/imports/tables-here.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { TableSource } from '../../domain/ports/table-source.ts'
import { identityCollections } from '../../domain/schema/identity.ts'
import type { Installation } from './installation.ts'
import type { Plan } from './plan.ts'
import { readRecords } from './records.ts'
import { greatestId } from './rows/model.ts'

/** The roles Administrator and Public are 1 and 2 on both sides. */
const firstOwn: { readonly [table: string]: number } = { platform_roles: 2 }

export async function makeRoom(db: Database, source: TableSource, plan: Plan): Promise<void> {
  await db.transaction(async (inner) => {
    for (const table of identityCollections) {
      const before = Math.max(plan.brought.get(table)?.highest ?? 0, firstOwn[table] ?? 0)
      const own = await findOwnRows(inner, table, before)
      const highest = plan.highest.get(table) ?? 0
      let next = Math.max(highest, ...own) + 1
      for (const number of own.filter((each) => each <= highest)) {
        await renumber(inner, table, { number, to: next })
        next += 1
      }
    }
    await adoptAccounts(inner, source, plan)
    // Rows up to here are of the source from now on, also for a run after an interruption.
    for (const [name, highest] of plan.highest) {
      await noteBrought(inner, { name, source: source.name, highest })
    }
    await shiftOthers(inner, plan.installation)
  })
}

/** An account that was made here with the address of one of the source becomes that one. */
async function adoptAccounts(db: Database, source: TableSource, { installation, highest }: Plan): Promise<void> {
  const here = await readAddresses(db)
  const own = new Map(
    here.flatMap(({ number, email }) =>
      email !== null && number > (highest.get('platform_users') ?? 0) ? [[email, number] as const] : [],
    ),
  )
  if (own.size === 0) return
  const taken = new Set(here.map(({ number }) => number))
  for await (const page of readRecords(source, installation.tables.get('directus_users'), ['id'])) {
    for (const row of page) {
      const number = own.get((row['email'] ?? '').trim().toLowerCase())
      const to = Number(row['id'])
      if (number === undefined || taken.has(to)) continue
      await renumber(db, 'platform_users', { number, to })
      taken.add(to)
      own.delete((row['email'] ?? '').trim().toLowerCase())
    }
  }
}

/** Fields and relations of other tables are known by their names, so their numbers may change. */
async function shiftOthers(db: Database, { own: tables, fields, relations, identities }: Installation): Promise<void> {
  const own = tables.map(({ name }) => name)
  const places = { fields: 'collection', relations: 'many_collection' } as const
  const most = { fields: greatestId(fields), relations: greatestId(relations) + identities.size }
  for (const name of ['fields', 'relations'] as const) {
    await shiftSettings(db, { table: `platform_${name}`, column: places[name], upTo: most[name], own })
  }
}
