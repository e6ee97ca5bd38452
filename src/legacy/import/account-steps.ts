/** Steps of what other rows refer to by number: roles, folders, users and files. */

import { filled, readAll, readRecords } from './records.ts'
import {
  type Address,
  avatarsMirror,
  draftRole,
  draftUser,
  findHolders,
  rolesMirror,
  separateAddresses,
  usersMirror,
} from './rows/accounts.ts'
import { draftFile, filesMirror, foldersMirror, parentsMirror } from './rows/files.ts'
import type { Numbers } from './rows/values.ts'
import { type ImportState, listed, streamed, tableOf, withinBrought } from './step.ts'

export async function takeRoles(state: ImportState): Promise<ReadonlyMap<string, string>> {
  const rows = await readAll(state.source, tableOf(state, 'directus_roles'))
  const drafts = rows.map((row) => draftRole(row, state.externalId, state.tell))
  const options = withinBrought(state, 'platform_roles')
  await state.take({ name: 'directus_roles', mirror: rolesMirror, rows: listed(rolesMirror, drafts), options })
  return state.numbersOf('platform_roles')
}

export async function takeFolders(state: ImportState): Promise<ReadonlyMap<string, string>> {
  const rows = await readAll(state.source, tableOf(state, 'directus_folders'))
  const drafts = rows.map((row) => ({ number: row['id'] ?? null, name: row['name'] ?? '' }))
  const options = withinBrought(state, 'platform_folders')
  await state.take({ name: 'directus_folders', mirror: foldersMirror, rows: listed(foldersMirror, drafts), options })
  const ids = await state.numbersOf('platform_folders')
  const parents = rows.map((row) => {
    const parent = filled(row, 'parent_folder')
    const id = parent === null || parent === '0' ? null : (ids.get(parent) ?? null)
    if (parent !== null && parent !== '0' && id === null)
      state.tell(`The folder ${row['id']} is in ${parent}, which is not there; it is in none`)
    return { number: row['id'] ?? null, parent: id }
  })
  await state.take({
    name: 'directus_folders.parent_folder',
    mirror: parentsMirror,
    rows: listed(parentsMirror, parents),
    options: { updatesOnly: true },
    silent: true,
  })
  return ids
}

export async function takeUsers(
  state: ImportState,
  roles: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const addresses: Address[] = []
  for await (const page of readRecords(state.source, tableOf(state, 'directus_users'), ['id'])) {
    addresses.push(
      ...page.map((row) => ({
        id: row['id'] ?? '',
        email: row['email'] ?? '',
        token: filled(row, 'token'),
        isActive: row['status'] === 'active',
      })),
    )
  }
  const held = await readAll(state.source, tableOf(state, 'directus_user_roles'))
  const rolesOfUsers = new Map(held.map((row) => [row['user'] ?? '', row['role'] ?? '']))
  for (const [user, rows] of Map.groupBy(held, (row) => row['user'] ?? ''))
    if (rows.length > 1)
      state.tell(`The user ${user} has several roles; it has the last one, ${rolesOfUsers.get(user)}`)
  const facts = {
    roles,
    rolesOfUsers,
    addresses: separateAddresses(addresses, state.tell),
    holders: findHolders(addresses),
    hashToken: state.hashToken,
    externalId: state.externalId,
  }
  await state.take({
    name: 'directus_users',
    mirror: usersMirror,
    rows: streamed(state, usersMirror, 'directus_users', (row) => draftUser(row, facts, state.tell)),
    options: withinBrought(state, 'platform_users'),
  })
  return state.numbersOf('platform_users')
}

export async function takeFiles(state: ImportState, numbers: Numbers): Promise<ReadonlyMap<string, string>> {
  const rows = () => {
    const facts = { numbers, location: state.location, seen: { disk: new Set<string>(), hashes: new Set<string>() } }
    return streamed(state, filesMirror, 'directus_files', (row) => draftFile(row, facts, state.tell))()
  }
  await state.take({
    name: 'directus_files',
    mirror: filesMirror,
    rows,
    options: withinBrought(state, 'platform_files'),
  })
  return state.numbersOf('platform_files')
}

export const takeAvatars = (state: ImportState, { platform_files: files }: Numbers): Promise<void> =>
  state.take({
    name: 'directus_users.avatar',
    mirror: avatarsMirror,
    rows: streamed(state, avatarsMirror, 'directus_users', (row) => {
      const avatar = filled(row, 'avatar')
      return { number: row['id'] ?? null, avatar: avatar === null ? null : (files.get(avatar) ?? null) }
    }),
    options: { updatesOnly: true },
    silent: true,
  })
