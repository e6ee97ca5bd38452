/** Reads the rows that are configuration as records: names in place of ids, without defaults. */

import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { compareTexts, withSortedNames } from '../../domain/sorted-names.ts'
import { findWebhooks } from '../../sql/statements/webhooks/webhooks.ts'
import { defaultOf, fixedRows, heldFields, panels, type RecordKind, readAll, recordKinds } from './record-kinds.ts'

/** `id`: of the row; `parts`: ids of rows that belong to it, by their names. */
export type StoredRecord = { readonly entry: Entry; readonly id: Key; readonly parts?: readonly AttachedPolicy[] }

/** A policy that is attached to a role or to everybody. */
export type AttachedPolicy = { readonly id: Key; readonly policy: string; readonly sort: number | null }

export type Records = { readonly [K in RecordKind]: ReadonlyMap<string, StoredRecord> }

/** Rows that files know under another name than they have here. */
export type OtherNames = { readonly [K in 'role' | 'policy']?: ReadonlyMap<string, string> }

/** The name under which the files know a row. */
type NamesOfIds = { readonly [K in 'role' | 'policy']: ReadonlyMap<unknown, string> }

/** Reads all records. Names that two rows share name none of them: they are refused. */
export async function readRecords(ctx: Context, others: OtherNames = {}): Promise<Records> {
  const rows = async (kind: RecordKind): Promise<readonly Row[]> => readAll(ctx, recordKinds[kind].collection)
  const [roles, policies, access] = [await rows('role'), await rows('policy'), await readAll(ctx, 'platform_access')]
  const roleNames = new Map(roles.map((row) => [row['id'], nameOf(row, others.role)]))
  const policyNames = new Map(policies.map((row) => [row['id'], policyName(row, roleNames, others.policy)]))
  const naming: NamesOfIds = { role: roleNames, policy: policyNames }
  const toRecord = (kind: RecordKind, row: Row): Entry => entryOf(ctx, recordKinds[kind], row, naming)
  return {
    role: distinct('role', roles, roleNames, (row) => roleRecord(row, toRecord('role', row), { naming, access })),
    policy: distinct('policy', policies, policyNames, (row) =>
      policyRecord(row, toRecord('policy', row), { naming, access }),
    ),
    right: numbered(
      await rows('right'),
      (row) => [row['collection'], policyNames.get(row['policy']), row['action']],
      (row) => toRecord('right', row),
    ),
    level: numbered(
      await rows('level'),
      (row) => [row['collection'], roleNames.get(row['role']), row['status']],
      (row) => toRecord('level', row),
    ),
    settings: new Map(
      (await rows('settings')).slice(0, 1).map((row) => ['settings', record(row, toRecord('settings', row))]),
    ),
    preset: numbered(
      (await rows('preset')).filter(({ user }) => user === null),
      (row) => [roleNames.get(row['role']) ?? null, row['collection'], row['bookmark']],
      (row) => toRecord('preset', row),
    ),
    webhook: await readWebhooks(ctx, await rows('webhook'), naming),
    dashboard: await readDashboards(ctx, await rows('dashboard')),
    translation: new Map(
      (await rows('translation')).map((row) => [
        keyOf(row['language'], row['key']),
        record(row, { value: row['value'] }),
      ]),
    ),
  }
}

/** `access`: the rows that attach policies. */
type AccessRows = { readonly naming: NamesOfIds; readonly access: readonly Row[] }

function roleRecord(row: Row, own: Entry, { naming, access }: AccessRows): StoredRecord {
  const parts = attached(access, naming.policy, ({ role }) => role === row['id'])
  const entry = { ...fixedMark('role', row), ...otherName(row, naming.role), ...own, ...policiesOf(parts) }
  return { entry, id: row['id'] as Key, parts }
}

function policyRecord(row: Row, own: Entry, { naming, access }: AccessRows): StoredRecord {
  const isToAll = ({ role, user, policy }: Row): boolean => role === null && user === null && policy === row['id']
  const parts = attached(access, naming.policy, isToAll)
  const entry = {
    ...fixedMark('policy', row),
    ...otherName(row, naming.policy),
    ...(row['of_role'] === null ? {} : { of_role: naming.role.get(row['of_role']) }),
    ...own,
    ...(parts.length === 0 ? {} : { public: true }),
  }
  return { entry, id: row['id'] as Key, parts }
}

const record = (row: Row, entry: Entry): StoredRecord => ({ entry, id: row['id'] as Key })

/** The place of a record: its names as one text. */
export const keyOf = (...names: readonly unknown[]): string => JSON.stringify(names.map((name) => name ?? null))

export const namesIn = (key: string): readonly (string | null)[] => JSON.parse(key) as readonly (string | null)[]

const nameOf = (row: Row, others: ReadonlyMap<string, string> | undefined): string =>
  others?.get(String(row['id'])) ?? others?.get(String(row['name'])) ?? String(row['name'])

/** A role's own policy has the name of the role. */
function policyName(row: Row, roles: ReadonlyMap<unknown, string>, others: ReadonlyMap<string, string> | undefined) {
  return row['of_role'] === null ? nameOf(row, others) : ownPolicyName(roles.get(row['of_role']) ?? '')
}

/** The name of a role's own policy. */
export const ownPolicyName = (role: string): string => `${role} (own)`

function otherName(row: Row, names: ReadonlyMap<unknown, string>): Entry {
  const existing = names.get(row['id']) ?? ''
  const isUsual =
    row['name'] === existing || (row['of_role'] != null && ownPolicyName(String(row['name'])) === existing)
  return isUsual ? {} : { name: row['name'] }
}

function fixedMark(kind: 'role' | 'policy', row: Row): Entry {
  const fixedName = Object.entries(fixedRows[kind]).find(([, id]) => id === row['id'])
  return fixedName === undefined ? {} : { fixed: fixedName[0] }
}

function attached(
  access: readonly Row[],
  names: ReadonlyMap<unknown, string>,
  isMeant: (row: Row) => boolean,
): readonly AttachedPolicy[] {
  return access
    .filter(isMeant)
    .map((row) => ({
      id: row['id'] as Key,
      policy: names.get(row['policy']) ?? '',
      sort: row['sort'] as number | null,
    }))
    .toSorted(
      (left, right) => (left.sort ?? Infinity) - (right.sort ?? Infinity) || compareTexts(left.policy, right.policy),
    )
}

const policiesOf = (list: readonly AttachedPolicy[]): Entry =>
  list.length === 0 ? {} : { policies: [...new Set(list.map(({ policy }) => policy))] }

/** The values of the row that differ from the defaults. */
function entryOf(
  ctx: Pick<Context, 'schema'>,
  kind: Parameters<typeof heldFields>[1],
  row: Row,
  naming: NamesOfIds,
): Entry {
  return Object.fromEntries(
    heldFields(ctx, kind).flatMap((field): (readonly [string, unknown])[] => {
      const refers = kind.refers?.[field.name]
      const stored = row[field.name] ?? null
      const value = refers === undefined || stored === null ? stored : (naming[refers].get(stored) ?? null)
      return isDeepStrictEqual(value, defaultOf(field)) ? [] : [[field.name, withSortedNames(value)]]
    }),
  )
}

function distinct(
  kind: string,
  rows: readonly Row[],
  names: ReadonlyMap<unknown, string>,
  toRecord: (row: Row) => StoredRecord,
): ReadonlyMap<string, StoredRecord> {
  const cache = new Map<string, StoredRecord>()
  for (const row of rows) {
    const name = names.get(row['id']) ?? ''
    if (cache.has(name)) {
      throw invalidPayload(
        kind,
        `Expected different names but "${name}" is the name of two: ${kind} ${String(row['id'])} needs another one`,
      )
    }
    cache.set(name, toRecord(row))
  }
  return cache
}

/** The names under which a record without a name of its own is found. */
export type NamedEntry = { readonly names: readonly unknown[]; readonly entry: Entry }

/** Records without a name of their own are numbered in the order of what they say. */
export function numberedEntries<Each extends NamedEntry>(all: readonly Each[]): readonly (readonly [string, Each])[] {
  const groups = Map.groupBy(all, ({ names }) => keyOf(...names))
  return [...groups.values()].flatMap((group) =>
    group
      .toSorted((left, right) => compareTexts(JSON.stringify(left.entry), JSON.stringify(right.entry)))
      .map((each, at) => [keyOf(...each.names, ...(at === 0 ? [] : [String(at + 1)])), each] as const),
  )
}

function numbered(
  rows: readonly Row[],
  namesOf: (row: Row) => readonly unknown[],
  toEntry: (row: Row) => Entry,
): ReadonlyMap<string, StoredRecord> {
  return new Map(numberedEntries(rows.map((row) => ({ names: namesOf(row), ...record(row, toEntry(row)) }))))
}

/** Secrets are compared, and never shown. */
async function readWebhooks(
  ctx: Pick<Context, 'db' | 'schema'>,
  rows: readonly Row[],
  naming: NamesOfIds,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const keys = rows.map((row) => Number(row['id']))
  const stored = keys.length === 0 ? [] : await findWebhooks(ctx.db, keys)
  const secrets = new Map(stored.map(({ id, secret }) => [id, secret]))
  const records = numbered(
    rows,
    (row) => [row['name']],
    (row) => entryOf(ctx, recordKinds.webhook, row, naming),
  )
  return new Map(
    [...records].map(([key, { entry, id }]) => {
      const secret = secrets.get(Number(id))
      return [key, { entry: secret == null ? entry : { ...entry, secret }, id }]
    }),
  )
}

async function readDashboards(ctx: Context, rows: readonly Row[]): Promise<ReadonlyMap<string, StoredRecord>> {
  const naming: NamesOfIds = { role: new Map(), policy: new Map() }
  const parts = Map.groupBy(await readAll(ctx, panels.collection), (row) => row['dashboard'])
  const names = new Map(rows.map((row) => [row['id'], String(row['name'])]))
  return distinct('dashboard', rows, names, (row) => {
    const inside = (parts.get(row['id']) ?? []).map((panel) => entryOf(ctx, panels, panel, naming))
    const sorted = inside.toSorted(
      (left, right) =>
        panelOrder(left) - panelOrder(right) || compareTexts(JSON.stringify(left), JSON.stringify(right)),
    )
    const own = entryOf(ctx, recordKinds.dashboard, row, naming)
    return record(row, { ...own, ...(sorted.length === 0 ? {} : { panels: sorted }) })
  })
}

/** From the top, line by line. */
const panelOrder = (panel: Entry): number =>
  Number(panel['position_y'] ?? 0) * 100_000 + Number(panel['position_x'] ?? 0)
