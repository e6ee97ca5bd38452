/** The steps of an import, in the order in which rows refer to each other. Planning, importing and verifying walk them. */

import type { MirrorOptions } from '../../core/imports/mirror-rows.ts'
import type { Mirror, MirrorRow, SourceTable, TableSource } from '../../domain/ports/table-source.ts'
import type { IdentityCollection } from '../../domain/schema/identity.ts'
import {
  type Address,
  avatarsMirror,
  draftRole,
  draftUser,
  type ExternalId,
  findHolders,
  rolesMirror,
  separateAddresses,
  usersMirror,
} from './accounts.ts'
import { type Draft, type Tell, toRow } from './drafts.ts'
import { draftFile, filesMirror, foldersMirror, parentsMirror } from './files.ts'
import {
  activityMirror,
  activitySeenMirror,
  draftActivity,
  draftRevision,
  draftSeen,
  parentOf,
  revisionsMirror,
} from './history.ts'
import type { Installation } from './installation.ts'
import {
  collectionsMirror,
  draftCollections,
  draftFields,
  draftRelations,
  fieldsMirror,
  relationsMirror,
} from './model.ts'
import { filled, parsed, readAll, readRecords, type SourceRecord } from './records.ts'
import { draftLevels, draftPresets, levelsMirror, presetsMirror } from './rights.ts'
import { draftSettings, settingsMirror } from './settings.ts'
import { comparableIn, convertRows, type OwnTable, refusalIn } from './tables.ts'
import type { ValueReport } from './value-report.ts'
import type { Numbers } from './values.ts'
import { draftWebhook, webhooksMirror } from './webhooks.ts'

/** One table here, with the rows that it should have. */
export type Step = {
  /** The table of the source, for people. */
  readonly name: string
  readonly mirror: Mirror
  readonly rows: () => AsyncIterable<readonly MirrorRow[]>
  readonly options?: MirrorOptions
  /** Where the rows are a part of what another step has brought. */
  readonly silent?: true
}

export type ImportState = {
  readonly source: TableSource
  readonly installation: Installation
  readonly tables: readonly OwnTable[]
  readonly tell: Tell
  readonly valueReport: ValueReport
  readonly hashToken: (token: string) => string
  readonly externalId: ExternalId
  /** Name of the storage location that has the contents of files. */
  readonly location: string
  readonly settingsRow: number
  /** Highest numbers that earlier runs have brought; rows beyond them were made here. */
  readonly highest: (table: string) => number
  /** The uuids of the rows of a table, by number. */
  readonly numbersOf: (collection: IdentityCollection) => Promise<ReadonlyMap<string, string>>
  readonly take: (step: Step) => Promise<void>
  readonly link: (parents: readonly { id: string; collection: string; item: string }[]) => Promise<void>
}

export async function walkSteps(state: ImportState): Promise<void> {
  const roles = await takeRoles(state)
  const folders = await takeFolders(state)
  const users = await takeUsers(state, roles)
  const numbers = { platform_roles: roles, platform_folders: folders, platform_users: users, platform_files: new Map() }
  const files = await takeFiles(state, numbers)
  const all = { ...numbers, platform_files: files }
  await takeAvatars(state, all)
  await takeModel(state)
  await takeRights(state, all)
  await takeSettings(state, all)
  for (const table of state.tables) await takeOwn(state, table, all)
  await takeHistory(state, all)
  await takeWebhooks(state)
}

const tableOf = ({ installation }: ImportState, name: string): SourceTable | undefined => installation.tables.get(name)

async function* inPages(rows: readonly MirrorRow[]): AsyncGenerator<readonly MirrorRow[]> {
  for (let from = 0; from < rows.length; from += 1000) yield rows.slice(from, from + 1000)
}

/** Sorted as the database sorts them. */
const listed = (mirror: Mirror, drafts: readonly Draft[]) => (): AsyncIterable<readonly MirrorRow[]> => {
  const names = mirror.key
  const order = (left: Draft, right: Draft): number => {
    for (const name of names) {
      const [one, other] = [left[name] ?? '', right[name] ?? '']
      if (one === other) continue
      const isNumber = mirror.columns.find((column) => column.name === name)?.type === 'integer'
      return isNumber ? Number(one) - Number(other) : Buffer.compare(Buffer.from(one), Buffer.from(other))
    }
    return 0
  }
  return inPages(drafts.toSorted(order).map((draft) => toRow(mirror, draft)))
}

/** Rows of a table of the source, one by one, by number. */
const streamed = (state: ImportState, mirror: Mirror, name: string, draft: (row: SourceRecord) => Draft | null) =>
  async function* rows(): AsyncGenerator<readonly MirrorRow[]> {
    for await (const page of readRecords(state.source, tableOf(state, name), ['id'])) {
      yield page.flatMap((row) => {
        const found = draft(row)
        return found === null ? [] : [toRow(mirror, found)]
      })
    }
  }

/** Rows with numbers beyond those that were brought are of this project. */
const withinBrought = (state: ImportState, table: string): MirrorOptions => ({
  isOurs: ([number]) => Number(number) <= state.highest(table),
})

async function takeRoles(state: ImportState): Promise<ReadonlyMap<string, string>> {
  const rows = await readAll(state.source, tableOf(state, 'directus_roles'))
  const drafts = rows.map((row) => draftRole(row, state.externalId, state.tell))
  const options = withinBrought(state, 'platform_roles')
  await state.take({ name: 'directus_roles', mirror: rolesMirror, rows: listed(rolesMirror, drafts), options })
  return state.numbersOf('platform_roles')
}

async function takeFolders(state: ImportState): Promise<ReadonlyMap<string, string>> {
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

async function takeUsers(state: ImportState, roles: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
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

async function takeFiles(state: ImportState, numbers: Numbers): Promise<ReadonlyMap<string, string>> {
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

const takeAvatars = (state: ImportState, { platform_files: files }: Numbers): Promise<void> =>
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

async function takeModel(state: ImportState): Promise<void> {
  const { installation, tell } = state
  const own = new Set(installation.own.map(({ name }) => name))
  const take = (name: string, mirror: Mirror, drafts: readonly Draft[]) => {
    const at = mirror.columns.findIndex((column) => column.name === mirror.key[0])
    const options: MirrorOptions = { isOurs: (row) => own.has(row[at] ?? '') }
    return state.take({ name, mirror, rows: listed(mirror, drafts), options })
  }
  await take('directus_collections', collectionsMirror, draftCollections(installation, tell))
  await take('directus_fields', fieldsMirror, draftFields(installation, tell))
  await take('directus_relations', relationsMirror, draftRelations(installation, tell))
}

async function takeRights(state: ImportState, numbers: Numbers): Promise<void> {
  const { installation, tell, source } = state
  const held = { roles: numbers.platform_roles, users: numbers.platform_users, tell }
  const levels = draftLevels(await readAll(source, tableOf(state, 'directus_permissions')), installation, held)
  await state.take({ name: 'directus_permissions', mirror: levelsMirror, rows: listed(levelsMirror, levels) })
  const presets = draftPresets(await readAll(source, tableOf(state, 'directus_collection_presets')), installation, held)
  await state.take({ name: 'directus_collection_presets', mirror: presetsMirror, rows: listed(presetsMirror, presets) })
}

async function takeSettings(state: ImportState, { platform_files: files }: Numbers): Promise<void> {
  const rows = await readAll(state.source, tableOf(state, 'directus_settings'))
  const draft = draftSettings(rows, { id: state.settingsRow, files, tell: state.tell })
  await state.take({
    name: 'directus_settings',
    mirror: settingsMirror,
    rows: listed(settingsMirror, [draft]),
    options: { updatesOnly: true },
  })
}

const takeOwn = (state: ImportState, table: OwnTable, numbers: Numbers): Promise<void> =>
  state.take({
    name: table.source.name,
    mirror: table.mirror,
    rows: () => convertRows(state.source, table, { numbers, told: state.valueReport }),
    options: { toComparable: comparableIn(table), refuse: refusalIn(table) },
  })

async function takeHistory(state: ImportState, numbers: Numbers): Promise<void> {
  await state.take({
    name: 'directus_activity',
    mirror: activityMirror,
    rows: streamed(state, activityMirror, 'directus_activity', (row) => draftActivity(row, numbers)),
  })
  if (tableOf(state, 'directus_activity_seen') !== undefined) {
    await state.take({
      name: 'directus_activity_seen',
      mirror: activitySeenMirror,
      rows: streamed(state, activitySeenMirror, 'directus_activity_seen', (row) => draftSeen(row, numbers)),
      options: { references: [ofActivity] },
    })
  }
  await state.take({
    name: 'directus_revisions',
    mirror: revisionsMirror,
    rows: () => {
      state.valueReport.forget('directus_revisions')
      const draft = (row: SourceRecord): Draft => {
        for (const column of ['data', 'delta']) {
          if (parsed(row[column] ?? null) !== undefined) continue
          const place = { table: 'directus_revisions', column, key: row['id'] ?? '' }
          state.valueReport.add(place, row[column] ?? '', 'no JSON, so it is left out')
        }
        return draftRevision(row, numbers, state.installation)
      }
      return streamed(state, revisionsMirror, 'directus_revisions', draft)()
    },
    options: { references: [ofActivity] },
  })
  await linkParents(state, numbers)
}

/** Old entries may have been deleted there, and what belongs to them may not. */
const ofActivity = { column: 'activity', table: 'platform_activity', target: 'id' } as const

/** Revisions that were nested in another write name one that may come after them, so they are linked when all are here. */
async function linkParents(state: ImportState, numbers: Numbers): Promise<void> {
  const table = tableOf(state, 'directus_revisions')
  const names = ['id', 'parent_collection', 'parent_item']
  if (table === undefined || !names.every((name) => table.columns.some((column) => column.name === name))) return
  for await (const page of state.source.rows(table, names, ['id'])) {
    const parents = page.flatMap(([id = null, parent_collection = null, parent_item = null]) => {
      const parent = parentOf({ id, parent_collection, parent_item }, numbers)
      return parent === null ? [] : [parent]
    })
    if (parents.length > 0) await state.link(parents)
  }
}

async function takeWebhooks(state: ImportState): Promise<void> {
  const rows = await readAll(state.source, tableOf(state, 'directus_webhooks'))
  const drafts = rows.map((row) => draftWebhook(row, state.tell))
  await state.take({ name: 'directus_webhooks', mirror: webhooksMirror, rows: listed(webhooksMirror, drafts) })
}
