/** Groups as SCIM resources: roles with their users. */
import type { Row } from '../domain/ports/row-store.ts'
import { matchAll } from '../domain/query/filter.ts'
import { ownFields, rowsOf } from '../domain/query/rows-of.ts'
import { roleExternal, userExternal } from './attributes.ts'
import { addressOf, invalidValue, newExternal, type ScimContext, textOf, toResource } from './resource.ts'
import { type Resource, readable } from './rows.ts'
import type { ScimGroup } from './types.ts'
import { displayName, idOf, userResource } from './users.ts'

const shownOfMembers = ['id', userExternal, 'provider', 'email', 'first_name', 'last_name']

/** Roles. Their members are in the same statement. */
export const groupResource: Resource = {
  collection: 'platform_roles',
  external: roleExternal,
  named: null,
  live: matchAll,
  select(ctx, wants) {
    const own = ownFields(...readable(ctx, 'platform_roles', ['id', roleExternal, 'name']))
    const inner = readable(ctx, 'platform_users', [...shownOfMembers, 'status'])
    const mayList =
      inner.includes('id') && inner.includes('status') && readable(ctx, 'platform_roles', ['users']).length > 0
    if (!wants('members') || !mayList) return own
    const selection = ownFields(...inner.filter((name) => name !== 'status'))
    const sort = [{ kind: 'field', path: [], field: 'id', descending: false }] as const
    const query = { ...rowsOf('platform_users', selection, { filter: userResource.live }), sort }
    return [...own, { kind: 'many', key: 'users', field: 'users', query }]
  },
}

export function toGroup(site: ScimContext, row: Row, wants: (name: string) => boolean): ScimGroup {
  const external = row[roleExternal] as string | null | undefined
  const users = row['users'] as readonly Row[] | undefined
  return toResource(
    site,
    'Group',
    {
      id: external ?? String(row['id']),
      externalId: external ?? undefined,
      displayName: row['name'],
      members: users?.map((each) => toMember(site, each)),
    },
    wants,
  )
}

function toMember(site: ScimContext, user: Row) {
  const id = idOf(user)
  const display = displayName(user)
  return { value: id, $ref: addressOf(site, 'Users', id), ...(display === undefined ? {} : { display }) }
}

/** The attributes that clients can write, except `members`. */
export type GroupDraft = { readonly externalId?: unknown; readonly displayName?: unknown }

/** The attributes of a stored group, to be patched. */
export const toGroupDraft = (row: Row): GroupDraft => ({ externalId: row[roleExternal], displayName: row['name'] })

/** The columns of a stored role that differ from the draft. */
export function changedGroupColumns(row: Row, draft: GroupDraft): { readonly [column: string]: string } {
  const name = textOf(draft.displayName, 'displayName')
  if (name === '' || name === null) throw invalidValue('displayName', 'a text', name ?? undefined)
  const external = newExternal({ id: row['id'], before: row[roleExternal] }, draft.externalId)
  return {
    ...(name === undefined || name === row['name'] ? {} : { name }),
    ...(external === undefined ? {} : { [roleExternal]: external }),
  }
}
