/** Keys and values of the project. */
import { ownUser } from '../../core/accounts/users.ts'
import { notFound } from '../../core/rows/keys.ts'
import { changeSettings, type SettingEntry, settingsCollection } from '../../core/server/setting-entries.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { LegacySettingsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json, jsonText } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { knownSettings, toSettingField } from '../model/known-settings.ts'
import {
  isColumn,
  readSettingRows,
  type SettingRow,
  toColumn,
  toEntryText,
  withEntries,
} from '../views/setting-rows.ts'
import { openSystemCollection, visibleScope } from '../wire/collections.ts'
import { serializeListed, serializePicked } from '../wire/listed-rows.ts'
import { parseUpdate } from '../wire/mutation.ts'
import { type Parameters, splitKeys } from '../wire/query.ts'
import { withStoredKeys } from '../wire/stored-keys.ts'
import { answerNothing, publicly, withHistory } from './answers.ts'

const names = ['id', 'key', 'value']

export const settings = {
  async readSettings(ctx, { query, request }) {
    const listed = { collection: settingsCollection, names, rows: await readSettingRows(ctx, request) }
    return jsonText(serializeListed(listed, { parameters: query, scope: ctx }, around(ctx, request)))
  },

  async readSetting(ctx, { path, query, request }) {
    const ids = splitKeys(path.id)
    return show(ctx, { ids, query, request, single: ids.length === 1 })
  },

  async readSettingFields(ctx) {
    openSystemCollection(ctx, settingsCollection, 'read')
    const { byCore } = visibleScope(ctx).view
    const shown = knownSettings.filter(
      ({ key }) => !isColumn(ctx, key) || byCore.get(settingsCollection)?.fields.has(key),
    )
    return json(publicly(ctx, { data: shown.map(toSettingField) }))
  },

  async createSettings(ctx, { body, query, request }) {
    const input = Array.isArray(body) ? body : [body]
    const written = await change(ctx, request, (all) => input.map((each) => toNew(each, all)))
    return answer(ctx, { written, query, request, single: !Array.isArray(body) })
  },

  async updateSettings(ctx, { body, query, request }) {
    const written = await change(ctx, request, (all) => body.map((each) => toChanged(String(each.id ?? ''), each, all)))
    return answer(ctx, { written, query, request, single: false })
  },

  async updateSetting(ctx, { path, body, query, request }) {
    const ids = splitKeys(path.id)
    const written = await change(ctx, request, (all) => ids.map((id) => toChanged(id, body, all)))
    return answer(ctx, { written, query, request, single: ids.length === 1 })
  },

  async deleteSetting(ctx, { path, request }) {
    ownUser(ctx)
    await change(ctx, request, (all) => splitKeys(path.id).map((id) => toGone(id, all)))
    return empty()
  },
} satisfies Handlers<LegacySettingsOperations>

/** `id` and `key` of a body are compared with the row's, never written. */
type SettingInput = { readonly id?: unknown; readonly key?: string | undefined; readonly value?: unknown }
type SettingChange = { readonly key: string; readonly value: unknown; readonly gone?: boolean }

const unprocessable = (reason: string): TandemError => new TandemError({ kind: 'unprocessable', reason })

function toNew({ key, value }: SettingInput, all: readonly SettingRow[]): SettingChange {
  if (key === undefined) throw new TandemError({ kind: 'failed-validation', field: 'key', type: 'required' })
  if (all.some((each) => each.key === key))
    throw new TandemError({ kind: 'not-unique', collection: settingsCollection, field: 'key' })
  return { key, value }
}

function toChanged(id: string, { key, value }: SettingInput, all: readonly SettingRow[]): SettingChange {
  if (id === '') throw unprocessable('Payload must include the primary key "id"')
  const row = named(id, all)
  if (key !== undefined && key !== row.key) throw unprocessable('The key of a setting cannot change')
  return { key: row.key, value }
}

const toGone = (id: string, all: readonly SettingRow[]): SettingChange => ({
  key: named(id, all).key,
  value: null,
  gone: true,
})

function named(id: string, all: readonly SettingRow[]): SettingRow {
  const row = all.find((each) => String(each.id) === id)
  if (row === undefined) throw notFound(settingsCollection)
  return row
}

/** Writes the plan for the settings as they are then; returns their keys. */
async function change(
  input: Context,
  request: HttpRequest,
  plan: (all: readonly SettingRow[]) => readonly SettingChange[],
): Promise<readonly string[]> {
  const ctx = withHistory(input, request)
  openSystemCollection(ctx, settingsCollection, 'update')
  let keys: readonly string[] = []
  await changeSettings(ctx, async (inner, entries) => {
    const system: Context = { ...inner, actor: { kind: 'system' } }
    const wanted = plan(await readSettingRows(system, request))
    keys = wanted.map(({ key }) => key)
    return toChanges(inner, entries, wanted)
  })
  return keys
}

/** The columns, and the entries where there is something to keep beside them. */
async function toChanges(
  ctx: Context,
  entries: readonly SettingEntry[],
  wanted: readonly SettingChange[],
): Promise<Changes> {
  const columns = wanted.filter(({ key }) => isColumn(ctx, key))
  const body = Object.fromEntries(columns.map(({ key, value }) => [key, toColumn(key, value)]))
  const opened = openSystemCollection(ctx, settingsCollection, 'update')
  const mutation = await withStoredKeys(ctx, parseUpdate(body, [1], opened))
  const changed = wanted.flatMap(({ key, value, gone = false }) => {
    const wasGone = entries.some((each) => each.key === key && each.gone === true)
    if (gone) return [[key, { value: null, gone: true as const }] as const]
    if (isColumn(ctx, key)) return wasGone ? [[key, { value: null }] as const] : []
    return [[key, { value: toEntryText(key, value) }] as const]
  })
  const changes = mutation.kind === 'update' ? mutation.changes : new Map()
  if (changed.length === 0) return changes
  return new Map([...changes, ['entries', { kind: 'value', value: withEntries(entries, new Map(changed)) }]])
}

const around = (ctx: Pick<Context, 'actor' | 'view'>, request: HttpRequest) => ({
  isPublic: ctx.actor.kind === 'public',
  view: ctx.view,
  request,
  statusCounts: null,
})

type ShowOptions = { readonly query: Parameters; readonly request: HttpRequest; readonly single: boolean }

async function show(
  ctx: ReadContext & Pick<Context, 'project'>,
  { ids, query, request, single }: ShowOptions & { readonly ids: readonly string[] },
) {
  const rows = (await readSettingRows(ctx, request)).filter(({ id }) => ids.includes(String(id)))
  return pick(ctx, rows, { query, request, single })
}

const pick = (
  ctx: Pick<Context, 'actor' | 'view'>,
  rows: readonly SettingRow[],
  { query, request, single }: ShowOptions,
) =>
  jsonText(
    serializePicked(
      { collection: settingsCollection, names, rows },
      { parameters: query, single },
      around(ctx, request),
    ),
  )

/** The written settings, as the caller may read them. */
async function answer(
  ctx: ReadContext & Pick<Context, 'project'>,
  { written, ...options }: ShowOptions & { readonly written: readonly string[] },
) {
  const isReadable = visibleScope(ctx).view.byCore.has(settingsCollection)
  const all = isReadable ? await readSettingRows(ctx, options.request) : []
  const rows = all.filter(({ key }) => written.includes(key))
  return rows.length === 0 ? answerNothing(ctx) : pick(ctx, rows, options)
}
