/** Keys of rows in identity collections, and their integer numbers. */
import { forbidden, permittedRows } from '../../authz/grants.ts'
import { isUuid } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { IdentityCollection } from '../../domain/schema/identity.ts'
import { findByNumbers, findNumbers } from '../../sql/statements/items.ts'
import { notFound } from '../rows/keys.ts'

/**
 * The keys of the rows with these numbers, in order. Throws `forbidden` if the actor has no right to the collection. An
 * unknown number becomes an unused key, so that both are rejected in the same way.
 */
export async function keysOfNumbers(
  ctx: Pick<Context, 'db' | 'actor' | 'ids'>,
  { collection, action }: { readonly collection: IdentityCollection; readonly action: Action },
  numbers: readonly Key[],
): Promise<readonly Key[]> {
  const { actor, db } = ctx
  if (permittedRows(actor, collection, action) === null) throw forbidden(action, collection)
  const wanted = numbers.map(Number)
  if (!wanted.every((each) => Number.isInteger(each) && each > 0 && each < 2 ** 31)) throw notFound(collection)
  const rows = await findByNumbers(db, collection, wanted)
  const byNumber = new Map(rows.map((row) => [row.number, row.id]))
  return [...new Set(wanted)].map((number) => byNumber.get(number) ?? ctx.ids.uuid())
}

/** The numbers of the rows with these keys, in any identity collection. Keys of no row are left out. */
export async function numbersOf(
  { db }: Pick<Context, 'db'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ids = keys.filter(isUuid)
  return new Map(ids.length === 0 ? [] : (await findNumbers(db, ids)).map(({ id, number }) => [id, number]))
}
