/** A role's own policy, for permissions of clients that write them per role. Permission rows contain both. */
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Changes, Mutation } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import {
  attachPolicy,
  findOwnPolicy,
  insertOwnPolicy,
  linkPermissionsToRoles,
} from '../../sql/statements/accounts/roles.ts'

const permissions = 'platform_permissions'

/** Replaces the role of each permission by the role's own policy. An explicit policy has precedence. */
export async function withOwnPolicy(ctx: Pick<Context, 'db' | 'ids'>, mutation: Mutation): Promise<Mutation> {
  if (mutation.collection !== permissions) return mutation
  switch (mutation.kind) {
    case 'create': {
      const items: Changes[] = []
      for (const changes of mutation.items) items.push(await resolve(ctx, changes))
      return { ...mutation, items }
    }
    case 'update':
      return { ...mutation, changes: await resolve(ctx, mutation.changes) }
    case 'update-each': {
      const items: (typeof mutation.items)[number][] = []
      for (const item of mutation.items) items.push({ ...item, changes: await resolve(ctx, item.changes) })
      return { ...mutation, items }
    }
    case 'write-singleton':
    case 'delete':
      return mutation
  }
}

async function resolve(ctx: Pick<Context, 'db' | 'ids'>, changes: Changes): Promise<Changes> {
  const role = changes.get('role')
  if (role === undefined) return changes
  const rest = new Map(changes)
  rest.delete('role')
  const id = role.kind === 'value' ? role.value : undefined
  if (id !== null && (typeof id !== 'string' || !isKey(id))) throw invalidRole()
  if (rest.has('policy')) return rest
  return rest.set('policy', { kind: 'value', value: id === null ? seedIds.publicPolicy : await ownPolicy(ctx, id) })
}

const isKey = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const invalidRole = (): TandemError =>
  new TandemError({ kind: 'invalid-foreign-key', collection: permissions, field: 'role' })

/** Finds or creates the policy. Callers hold the lock for access. */
async function ownPolicy({ db, ids }: Pick<Context, 'db' | 'ids'>, role: string): Promise<string> {
  const policy = await findOwnPolicy(db, role.toLowerCase())
  if (policy === undefined) throw invalidRole()
  if (policy.id !== null) return policy.id
  const id = ids.uuid()
  await insertOwnPolicy(db, { id, name: policy.name, role })
  await attachPolicy(db, { id: ids.uuid(), role, policy: id })
  return id
}

/** Stores in written permissions the role whose own policy they belong to. */
export async function linkOwnPolicies({ db }: Pick<Context, 'db'>, written: readonly Written[]): Promise<void> {
  const keys = written
    .filter(({ collection, kind }) => collection === permissions && kind !== 'delete')
    .flatMap((each) => each.keys)
  if (keys.length > 0) await linkPermissionsToRoles(db, keys)
}
