/** Writes of users and groups by identity providers: each is one transaction with the rights of the caller. */

import { forgetLogins, keepLogin } from '../core/accounts/providers/provisioners.ts'
import { writeItems } from '../core/items/items.ts'
import { withTransaction } from '../core/rows/transaction.ts'
import type { Context } from '../domain/ports/context.ts'
import type { Row } from '../domain/ports/row-store.ts'
import { and, equals, type Filter, matchNone, or } from '../domain/query/filter.ts'
import type { Key } from '../domain/query/key.ts'
import { type Mutation, toChanges } from '../domain/query/mutation.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { seedIds } from '../domain/schema/identity.ts'
import { ofNoProvider, roleExternal, userExternal } from './attributes.ts'
import { changedGroupColumns, type GroupDraft, groupResource, toGroupDraft } from './groups.ts'
import { changeMembers, type MemberChange, namesOf, releaseAll, splitOperations } from './members.ts'
import { applyOperations } from './patch.ts'
import { textOf } from './resource.ts'
import { assertOpen, findOne, findUsers } from './rows.ts'
import type { ScimChanges, ScimGroupInput, ScimUserInput } from './types.ts'
import { changedColumns, columnsOfNew, isOfProvider, toDraft, type UserDraft, userResource } from './users.ts'

type Columns = { readonly [column: string]: string | null }

const users = 'platform_users'
const roles = 'platform_roles'

const set = async (ctx: Context, collection: string, key: Key, columns: Columns): Promise<void> => {
  if (Object.keys(columns).length === 0) return
  const target = { kind: 'keys', keys: [key] } as const
  await writeItems(ctx, { kind: 'update', collection, target, changes: toChanges(columns) })
}

/** Creates a user, or restores a deleted one with the same address or external id. */
export async function createUser(ctx: Context, draft: UserDraft): Promise<Key> {
  assertOpen(ctx, userResource, 'create')
  const columns = columnsOfNew(draft)
  return withTransaction(ctx, async (inner) => {
    const [deleted] = await findUsers(inner, deletedLike(columns))
    if (deleted !== undefined) {
      // The new user shall not have what the deleted one could log in with, nor its rights.
      await forgetLogins(inner, deleted)
      await set(inner, users, deleted, { ...columns, role: null, password: null, token: null })
      return deleted
    }
    const [key] = await writeItems(inner, { kind: 'create', collection: users, items: [toChanges(columns)] })
    return key as Key
  })
}

function deletedLike(columns: Columns): Filter {
  const { email, [userExternal]: external } = columns
  const same = or(
    email == null ? matchNone : equals('email', email),
    external == null ? matchNone : and(equals(userExternal, external), ofNoProvider),
  )
  return and(equals('status', 'archived'), same)
}

/** Sets all attributes of a user. `userName` wins over `emails` where both are given. */
export async function replaceUser(ctx: Context, id: string, body: ScimUserInput): Promise<Key> {
  const { emails, ...rest } = body
  const isAddress = body.userName.includes('@')
  return changeUser(ctx, id, () => (isAddress || emails === undefined ? rest : { ...rest, emails }))
}

const spelled = [
  'externalId',
  'userName',
  'name',
  'familyName',
  'givenName',
  'emails',
  'title',
  'locale',
  'timezone',
  'active',
  'value',
  'type',
  'primary',
]

export async function patchUser(ctx: Context, id: string, body: ScimChanges): Promise<Key> {
  const operations = body.Operations ?? [{ op: 'replace', value: body }]
  return changeUser(ctx, id, (row) => applyOperations(toDraft(row), operations, spelled))
}

async function changeUser(ctx: Context, id: string, change: (row: Row) => UserDraft): Promise<Key> {
  return withTransaction(ctx, async (inner) => {
    const row = await findOne(inner, userResource, id, 'update')
    const key = String(row['id'])
    const columns = changedColumns(row, withoutOwnId(change(row), id))
    if (userExternal in columns && isOfProvider(row)) await keepLogin(inner, key)
    await set(inner, users, key, columns)
    return key
  })
}

/** The id that the request is for needs no change, even where the caller may not read it. */
const withoutOwnId = <Draft extends { readonly externalId?: unknown }>(draft: Draft, id: string): Draft =>
  draft.externalId === id ? { ...draft, externalId: undefined } : draft

/** Marks a user as deleted. */
export async function archiveUser(ctx: Context, id: string): Promise<void> {
  const row = await findOne(ctx, userResource, id, 'update')
  await set(ctx, users, String(row['id']), { status: 'archived' })
}

/** Creates roles, with the generation's values for new roles. */
export type RoleWriter = (ctx: Context, mutation: Mutation) => Promise<readonly Key[]>

export async function createGroup(ctx: Context, body: ScimGroupInput, createRoles: RoleWriter): Promise<Key> {
  assertOpen(ctx, groupResource, 'create')
  const external = textOf(body.externalId ?? body.id, 'externalId') ?? null
  const columns = { name: body.displayName, ...(external === null ? {} : { [roleExternal]: external }) }
  return withTransaction(ctx, async (inner) => {
    const [key] = await createRoles(inner, { kind: 'create', collection: roles, items: [toChanges(columns)] })
    await changeMembers(inner, String(key), [{ kind: 'add', values: namesOf(body.members) }])
    return key as Key
  })
}

/** Sets the name of a role and, if they are given, its members. */
export async function replaceGroup(ctx: Context, id: string, body: ScimGroupInput): Promise<Key> {
  return changeGroup(ctx, id, () => ({ draft: body, members: membersIn(body.members) }))
}

const membersIn = (members: unknown): readonly MemberChange[] =>
  members === undefined || members === null ? [] : [{ kind: 'replace', values: namesOf(members) }]

export async function patchGroup(ctx: Context, id: string, body: ScimChanges): Promise<Key> {
  const { members, others } = splitOperations(body.Operations ?? [{ op: 'replace', value: body }])
  return changeGroup(ctx, id, (row) => ({
    draft: applyOperations(toGroupDraft(row), others, ['externalId', 'displayName']),
    members,
  }))
}

type GroupChange = { readonly draft: GroupDraft; readonly members: readonly MemberChange[] }

async function changeGroup(ctx: Context, id: string, change: (row: Row) => GroupChange): Promise<Key> {
  return withTransaction(ctx, async (inner) => {
    const row = await findOne(inner, groupResource, id, 'update')
    const key = String(row['id'])
    const { draft, members } = change(row)
    await set(inner, roles, key, changedGroupColumns(row, withoutOwnId(draft, id)))
    await changeMembers(inner, key, members)
    return key
  })
}

const protectedGroups: ReadonlySet<string> = new Set([seedIds.administratorRole, seedIds.publicRole])

/** Deletes a role. Its users keep their accounts, so they lose the role first. */
export async function deleteGroup(ctx: Context, id: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const row = await findOne(inner, groupResource, id, 'delete')
    const key = String(row['id'])
    if (protectedGroups.has(key)) {
      throw new TandemError({
        kind: 'forbidden',
        reason: 'The roles of administrators and of the public cannot be deleted',
      })
    }
    await releaseAll(inner, key)
    await writeItems(inner, { kind: 'delete', collection: roles, target: { kind: 'keys', keys: [key] } })
  })
}
