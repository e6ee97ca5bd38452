/** Initial permissions of new roles: what the application itself needs. */
import { writeItems } from '../../core/items/items.ts'
import { withTransaction } from '../../core/rows/transaction.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { type Mutation, toChanges } from '../../domain/query/mutation.ts'

type Levels = { readonly [column: string]: string | readonly string[] }

const all = { create: 'full', read: 'full', update: 'full', delete: 'full' } as const
const readable = { read: 'full' } as const

/** Levels by collection; the default is none. */
const granted: { readonly [collection: string]: Levels } = {
  platform_activity: { create: 'full', read: 'mine', comment: 'update' },
  platform_presets: { create: 'full', read: 'full', update: 'mine', delete: 'mine' },
  platform_collections: readable,
  platform_fields: readable,
  platform_relations: readable,
  platform_settings: readable,
  platform_files: all,
  platform_folders: all,
  platform_role_levels: { read: 'mine' },
  platform_roles: { read: 'mine' },
  platform_revisions: { create: 'full', read: 'full' },
  // The application lists users when it starts. Version 8 showed all active ones, with their addresses. Users change
  // their own profile; identity providers find them by the external id.
  platform_users: { read: 'mine', update: 'mine', write_field_blacklist: ['external_id'] },
}

/** Creates roles; those created by an administrator get their permissions in the same transaction. */
export async function createRoles(ctx: Context, mutation: Mutation): Promise<readonly Key[]> {
  const mayGrant = ctx.actor.kind === 'user' && ctx.actor.access.admin
  if (mutation.kind !== 'create' || !mayGrant) return writeItems(ctx, mutation)
  return withTransaction(ctx, async (inner) => {
    const keys = await writeItems(inner, mutation)
    const items = keys.flatMap((role) =>
      Object.entries(granted).map(([name, levels]) => toChanges({ role, collection: name, ...levels })),
    )
    await writeItems(inner, { kind: 'create', collection: 'platform_role_levels', items })
    return keys
  })
}
