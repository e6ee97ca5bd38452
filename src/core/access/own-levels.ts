/** The levels of the caller's own role. */
import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { readItemRows } from '../rows/read-items.ts'

type Row = { readonly collection: string }

/** The levels in the names and forms of the view; empty for callers without levels. */
export async function readOwnLevels(ctx: Context): Promise<readonly Row[]> {
  const { actor } = ctx
  if (isUnlimited(actor) || actor.kind === 'share') return []
  const role = actor.kind === 'user' ? actor.role : null
  const values = [role ?? seedIds.publicRole]
  const filter = { kind: 'compare', operand: { kind: 'field', field: 'role' }, operator: 'eq', values } as const
  const everything = [{ kind: 'wildcard', aliases: false, except: [], nested: null }] as const
  const query = { ...rowsOf('platform_role_levels', everything), filter }
  return (await readItemRows({ ...ctx, actor: { kind: 'system' } }, query)) as unknown as readonly Row[]
}
