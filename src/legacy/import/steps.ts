/** The steps of an import, in the order in which rows refer to each other. Planning, importing and verifying walk them. */

import type { MirrorOptions } from '../../core/imports/mirror-rows.ts'
import type { Mirror } from '../../domain/ports/table-source.ts'
import { takeAvatars, takeFiles, takeFolders, takeRoles, takeUsers } from './account-steps.ts'
import { takeHistory } from './history-steps.ts'
import { readAll } from './records.ts'
import type { Draft } from './rows/drafts.ts'
import {
  collectionsMirror,
  draftCollections,
  draftFields,
  draftRelations,
  fieldsMirror,
  relationsMirror,
} from './rows/model.ts'
import { draftLevels, draftPresets, levelsMirror, presetsMirror } from './rows/rights.ts'
import { draftSettings, settingsMirror } from './rows/settings.ts'
import { comparableIn, convertRows, type OwnTable, refusalIn } from './rows/tables.ts'
import type { Numbers } from './rows/values.ts'
import { draftWebhook, webhooksMirror } from './rows/webhooks.ts'
import { type ImportState, listed, tableOf } from './step.ts'

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

async function takeWebhooks(state: ImportState): Promise<void> {
  const rows = await readAll(state.source, tableOf(state, 'directus_webhooks'))
  const drafts = rows.map((row) => draftWebhook(row, state.tell))
  await state.take({ name: 'directus_webhooks', mirror: webhooksMirror, rows: listed(webhooksMirror, drafts) })
}
