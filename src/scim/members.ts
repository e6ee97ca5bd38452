/** Members of groups: the users whose role the group is. Only users whose membership changes are written. */

import { writeItems } from '../core/items/items.ts'
import { isWellFormedText } from '../domain/conditions/literals.ts'
import type { Context } from '../domain/ports/context.ts'
import { and, equals, type Filter, matchAll, or } from '../domain/query/filter.ts'
import { toChanges } from '../domain/query/mutation.ts'
import { memberAttributes, membersNamed, userExternal } from './attributes.ts'
import { ScimError } from './errors.ts'
import { parseScimFilter } from './filter.ts'
import { assertPath } from './patch.ts'
import { invalidValue } from './resource.ts'
import { findMembers, findUsers, readable } from './rows.ts'
import type { Operation } from './types.ts'
import { idOf, userResource } from './users.ts'

/** `values` are names of members; for `remove-where` paths, of which an empty one is about all members. */
export type MemberChange = {
  readonly kind: 'add' | 'remove' | 'replace' | 'remove-where'
  readonly values: readonly string[]
}

/** The ids in a list of members, or in one member. */
export function namesOf(value: unknown): readonly string[] {
  const list = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  return list.map((each: unknown) => {
    const name = typeof each === 'object' && each !== null ? (each as { readonly value?: unknown }).value : each
    if (typeof name === 'string' && name !== '' && isWellFormedText(name)) return name
    throw invalidValue('members', 'a list of objects with "value"', each)
  })
}

/** Splits operations on a group into those on its members and all others. */
export function splitOperations(operations: readonly Operation[]): {
  readonly members: readonly MemberChange[]
  readonly others: readonly Operation[]
} {
  const parts = operations.map(split)
  return { members: parts.flatMap((each) => each.members), others: parts.flatMap((each) => each.others) }
}

type MemberParts = { readonly members: readonly MemberChange[]; readonly others: readonly Operation[] }

const urn = /^urn:ietf:params:scim:schemas:core:2\.0:Group:/i

function split(operation: Operation): MemberParts {
  const { op, value } = operation
  const path = operation.path?.replace(urn, '') ?? ''
  if (/^members\b/i.test(path)) return { members: [toChange(op, path, value)], others: [] }
  if (path !== '' || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { members: [], others: [operation] }
  }
  const entries = Object.entries(value)
  const isMembers = ([name]: readonly [string, unknown]): boolean => /^members$/i.test(name.replace(urn, ''))
  const rest = Object.fromEntries(entries.filter((each) => !isMembers(each)))
  return {
    members: entries.filter(isMembers).map(([, each]) => toChange(op, 'members', each)),
    others: Object.keys(rest).length === 0 ? [] : [{ ...operation, value: rest }],
  }
}

function toChange(op: string, path: string, value: unknown): MemberChange {
  const kind = op.toLowerCase() as 'add' | 'remove' | 'replace'
  if (/^members$/i.test(path)) {
    if (kind === 'remove' && (value === undefined || value === null)) return { kind: 'remove-where', values: [''] }
    return { kind, values: namesOf(value) }
  }
  assertPath(path)
  if (kind === 'remove') return { kind: 'remove-where', values: [path] }
  const reason = 'Expected the path members for an operation that adds or replaces members but received another path'
  throw new ScimError('invalidPath', 'path', reason)
}

/** Applies changes of the members of a role in order. Every user is written with the caller's rights. */
export async function changeMembers(ctx: Context, role: string, changes: readonly MemberChange[]): Promise<void> {
  const byAddress = readable(ctx, users, ['email']).length > 0
  for (const { kind, values } of joinRuns(changes)) {
    if (kind === 'remove') await release(ctx, role, membersNamed(values, byAddress))
    else if (kind !== 'remove-where') await fill(ctx, role, { kind, names: values, byAddress })
    else
      for (const paths of inParts(values, pathsAtOnce))
        await release(ctx, role, or(...paths.map((path) => whereOf(path, byAddress))))
  }
}

const pathsAtOnce = 500

/** Joins changes of one kind that follow each other, because some providers send one for each member. */
export function joinRuns(changes: readonly MemberChange[]): readonly MemberChange[] {
  const runs: { kind: MemberChange['kind']; values: string[] }[] = []
  for (const { kind, values } of changes) {
    const last = runs.at(-1)
    if (last === undefined || last.kind !== kind || kind === 'replace') runs.push({ kind, values: [...values] })
    else for (const value of values) last.values.push(value)
  }
  return runs
}

const inParts = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, part) => list.slice(part * size, (part + 1) * size))

const users = 'platform_users'

const whereOf = (path: string, byAddress: boolean): Filter =>
  path === '' ? matchAll : parseScimFilter(path, memberAttributes(byAddress), { scimType: 'invalidPath', name: 'path' })

type MemberFilter = { readonly kind: string; readonly names: readonly string[]; readonly byAddress: boolean }

async function fill(ctx: Context, role: string, { kind, names, byAddress }: MemberFilter): Promise<void> {
  const wanted = await membersBy(ctx, names, byAddress)
  if (kind === 'replace') {
    const keys = new Set(wanted.map(({ id }) => id))
    const gone = (await membersWhere(ctx, ofRole(role))).filter((id) => !keys.has(id))
    await setRole(ctx, gone, null)
  }
  await setRole(
    ctx,
    wanted.filter((each) => each.role !== role).map(({ id }) => id),
    role,
  )
}

async function release(ctx: Context, role: string, filter: Filter): Promise<void> {
  await setRole(ctx, await membersWhere(ctx, and(ofRole(role), filter)), null)
}

async function membersWhere(ctx: Context, filter: Filter): Promise<readonly string[]> {
  const rows = await findMembers(ctx, filter, ['id'])
  return rows.map(({ id }) => String(id))
}

/** Takes the role from all of its users. */
export const releaseAll = async (ctx: Context, role: string): Promise<void> =>
  setRole(ctx, await findUsers(ctx, ofRole(role)), null)

const ofRole = (role: string): Filter => equals('role', role)

async function setRole(ctx: Context, keys: readonly string[], role: string | null): Promise<void> {
  const changes = toChanges({ role })
  // A provider cannot send fewer members: a group is deleted as a whole.
  for (const part of inParts(keys, ctx.limits.batch ?? keys.length))
    await writeItems(ctx, { kind: 'update', collection: users, target: { kind: 'keys', keys: part }, changes })
}

type Member = { readonly id: string; readonly role: string | null }

/** The users with these ids or addresses. Throws for one that does not exist, or whose role the caller may not know. */
async function membersBy(ctx: Context, names: readonly string[], byAddress: boolean): Promise<readonly Member[]> {
  if (names.length === 0) return []
  const filter = and(userResource.live, membersNamed(names, byAddress))
  const fields = ['id', userExternal, 'provider', 'email', 'role']
  const rows = await findMembers(ctx, filter, fields)
  const existing = new Set(rows.flatMap((row) => [row['id'], idOf(row), ...(byAddress ? [row['email']] : [])]))
  const missing = names.find((name) => !existing.has(name) && !existing.has(name.trim().toLowerCase()))
  if (missing === undefined) return rows as unknown as readonly Member[]
  const reason = `Expected the id of a user for "members" but received ${JSON.stringify(missing)}`
  throw new ScimError('invalidValue', 'members', reason)
}
