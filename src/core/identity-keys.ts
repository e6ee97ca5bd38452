/** Rows of identity collections that a client names by their numbers. */
import { forbidden, isUnlimited, rulesFor } from '../authz/grants.ts'
import type { Action } from '../domain/actor.ts'
import type { Context } from '../domain/context.ts'
import type { IdentityCollection } from '../domain/identity.ts'
import type { Key } from '../domain/mutation.ts'
import { notFound } from './keys.ts'

/**
 * The keys of the rows with these numbers, in their order, for one who has some right to such rows; else `forbidden`.
 * A number that no row has becomes a key that no row has: what refuses the one refuses the other.
 */
export async function keysOfNumbers(
  ctx: Context,
  { collection, action }: { readonly collection: IdentityCollection; readonly action: Action },
  numbers: readonly Key[],
): Promise<readonly Key[]> {
  const { actor, db } = ctx
  if (!isUnlimited(actor) && rulesFor(actor, collection, action).length === 0) throw forbidden(action, collection)
  const wanted = numbers.map(Number)
  if (!wanted.every((each) => Number.isInteger(each) && each > 0 && each < 2 ** 31)) throw notFound(collection)
  const text = `select id::text as id, number from ${collection} where number = any($1::integer[])`
  const { rows } = await db.run({ text, values: [wanted] })
  const found = rows as readonly { readonly id: string; readonly number: number }[]
  const byNumber = new Map(found.map((row) => [row.number, row.id]))
  return [...new Set(wanted)].map((number) => byNumber.get(number) ?? ctx.ids.uuid())
}
