/** A role's own policy: where permissions belong that clients of old write by role. Both stand in every row. */
import type { Context, Written } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { seedIds } from '../domain/identity.ts'
import type { Changes, Mutation } from '../domain/mutation.ts'

const permissions = 'platform_permissions'

/** The mutation with the policy of each permission that names a role instead; a policy that is named counts. */
export async function withOwnPolicy(ctx: Context, mutation: Mutation): Promise<Mutation> {
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

async function resolve(ctx: Context, changes: Changes): Promise<Changes> {
  const role = changes.get('role')
  if (role === undefined) return changes
  const rest = new Map(changes)
  rest.delete('role')
  if (rest.has('policy')) return rest
  const id = role.kind === 'value' ? role.value : undefined
  if (id !== null && typeof id !== 'string') throw invalidRole()
  return rest.set('policy', { kind: 'value', value: id === null ? seedIds.publicPolicy : await ownPolicy(ctx, id) })
}

const invalidRole = (): TandemError =>
  new TandemError({ kind: 'invalid-foreign-key', collection: permissions, field: 'role' })

/** Found, or made and given to the role; callers take turns. */
async function ownPolicy({ db, ids }: Context, role: string): Promise<string> {
  const text =
    'select r.name, p.id from platform_roles r left join platform_policies p on p.of_role = r.id where r.id::text = $1'
  const { rows } = await db.run({ text, values: [role.toLowerCase()] })
  const found = rows[0] as { readonly name: string; readonly id: string | null } | undefined
  if (found === undefined) throw invalidRole()
  if (found.id !== null) return found.id
  const id = ids.uuid()
  const insert = 'insert into platform_policies (id, name, of_role) values ($1, $2, $3)'
  await db.run({ text: insert, values: [id, found.name, role] })
  const attach = 'insert into platform_access (id, role, policy) values ($1, $2, $3)'
  await db.run({ text: attach, values: [ids.uuid(), role, id] })
  return id
}

/** Lets written permissions say whose own policy theirs is. */
export async function linkOwnPolicies({ db }: Context, written: readonly Written[]): Promise<void> {
  const keys = written
    .filter(({ collection, kind }) => collection === permissions && kind !== 'delete')
    .flatMap((each) => each.keys)
  if (keys.length === 0) return
  const text = `update platform_permissions p set role = q.of_role from platform_policies q
    where q.id = p.policy and p.id::text = any($1) and p.role is distinct from q.of_role`
  await db.run({ text, values: [keys] })
}
