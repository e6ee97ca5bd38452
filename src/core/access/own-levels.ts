/** The levels of the caller's role and of those above it. */

import { isUnlimited } from '../../authz/grants.ts'
import { originsOfLevels } from '../../authz/levels.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { compare } from '../../domain/query/filter.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import type { LevelRow } from '../../domain/rights/stored-rights.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { findLevels, findLevelsAt } from '../../sql/statements/accounts/access.ts'
import { ownColumns, readItemRows } from '../rows/read-items.ts'

type Row = { readonly collection: string }

export type DerivedRule = { readonly rule: Rule; readonly row: LevelRow }

/** The rules that levels stand for: those of all roles for administrators, otherwise those of the caller's roles. */
export async function readDerivedRules({
  db,
  schema,
  actor,
}: Pick<Context, 'db' | 'schema' | 'actor'>): Promise<readonly DerivedRule[]> {
  if (actor.kind !== 'user') return []
  const rows = await findLevels(db, isUnlimited(actor) ? null : actor.roles)
  return [...Map.groupBy(rows, ({ role }) => role).values()].flatMap((own) =>
    [...originsOfLevels(own, schema)].map(([rule, row]) => ({ rule, row })),
  )
}

/** The levels in the names and forms of the view; empty for callers without levels. */
export async function readOwnLevels(ctx: ReadContext): Promise<readonly Row[]> {
  const { actor } = ctx
  if (isUnlimited(actor) || actor.kind === 'share') return []
  const values = actor.kind === 'user' && actor.role !== null ? actor.roles : [seedIds.publicRole]
  const filter = compare('role', 'in', values)
  const query = rowsOf('platform_role_levels', ownColumns, { filter })
  return (await readItemRows({ ...ctx, actor: { kind: 'system' } }, query)) as unknown as readonly Row[]
}

export const levelsAt = (
  { db }: Pick<Context, 'db'>,
  scopes: Parameters<typeof findLevelsAt>[1],
): Promise<readonly number[]> => findLevelsAt(db, scopes)
