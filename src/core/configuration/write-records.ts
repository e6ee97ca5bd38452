/** Writes the differences of records: new and changed rows first, so that no right is missing meanwhile; then deletions. */

import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { createItems, deleteItems, updateItem } from '../items/items.ts'
import type { RecordChange } from './compare-records.ts'
import { namesIn, ownPolicyName, type Records } from './read-records.ts'
import { type Described, defaultOf, heldFields, panels, readAll, recordKinds } from './record-kinds.ts'

/** Ids by name; it grows with the rows that are created. */
type Ids = { readonly [K in 'role' | 'policy']: Map<string, Key> }

/** Writes the changes within the transaction of the context. */
export async function writeRecords(ctx: Context, present: Records, changes: readonly RecordChange[]): Promise<void> {
  const ids: Ids = { role: idsOf(present.role), policy: idsOf(present.policy) }
  const written = changes.filter(({ after }) => after !== null)
  for (const change of written) await writeOne(ctx, change, ids)
  for (const change of written.filter(({ kind }) => kind === 'role' || kind === 'policy'))
    await attach(ctx, change, ids)
  for (const { kind, before } of changes.filter(({ after }) => after === null).toReversed()) {
    if (before !== null) await deleteItems(ctx, recordKinds[kind].collection, [before.id])
  }
}

const idsOf = (records: Records['role']): Map<string, Key> => new Map([...records].map(([name, { id }]) => [name, id]))

async function writeOne(ctx: Context, change: RecordChange, ids: Ids): Promise<void> {
  const { kind, key, before, after } = change
  const { collection } = recordKinds[kind]
  const values = { ...(before === null ? ownerValues(change, ids) : {}), ...renamed(change) }
  const secret = kind === 'webhook' && !isDeepStrictEqual(before?.entry['secret'], after?.['secret'])
  const own = { ...values, ...valuesOf(ctx, change, ids), ...(secret ? { secret: after?.['secret'] } : {}) }
  const keys = before === null ? await createItems(ctx, collection, [own]) : [before.id]
  if (before !== null && Object.keys(own).length > 0) await updateItem(ctx, collection, before.id, own)
  const [id] = keys
  if (id !== undefined && (kind === 'role' || kind === 'policy')) ids[kind].set(key, id)
  if (id !== undefined && kind === 'dashboard') await writePanels(ctx, id, change)
}

/** The values that identify the owner of the row. */
function ownerValues({ kind, key, after: input }: RecordChange, ids: Ids): Entry {
  const after = input ?? {}
  const names = kind === 'role' || kind === 'policy' || kind === 'dashboard' || kind === 'settings' ? [] : namesIn(key)
  switch (kind) {
    case 'role':
    case 'dashboard':
      return { name: after['name'] ?? key }
    case 'policy': {
      const role = after['of_role'] as string | undefined
      const usual = role !== undefined && key === ownPolicyName(role) ? role : key
      return { name: after['name'] ?? usual, ...(role === undefined ? {} : { of_role: ids.role.get(role) ?? null }) }
    }
    case 'right':
      return { collection: names[0], policy: ids.policy.get(String(names[1])) ?? null, action: names[2] }
    case 'level':
      return { collection: names[0], role: ids.role.get(String(names[1])) ?? null, status: names[2] ?? null }
    case 'translation':
      return { language: names[0], key: names[1] }
    case 'webhook':
      return { name: names[0] }
    case 'preset':
    case 'settings':
      return {}
  }
}

/** Users are in no file, and without a user and a role nothing would be sent. Throws for a new webhook without both. */
export function assertSenders({ actor }: Pick<Context, 'actor'>, changes: readonly RecordChange[]): void {
  for (const { kind, key, before, after } of changes) {
    if (kind !== 'webhook' || before !== null || after?.['role'] != null || actor.kind === 'user') continue
    const name = String(namesIn(key)[0])
    const reason = `Expected "role" for the new webhook "${name}", whose rights decide what is sent`
    throw invalidPayload(`webhook "${name}"`, reason)
  }
}

/** Rows that were known under another name get the one of their file. */
function renamed({ kind, key, before, after }: RecordChange): Entry {
  if (before === null || (kind !== 'role' && kind !== 'policy')) return {}
  if (isDeepStrictEqual(before.entry['name'], after?.['name'])) return {}
  const role = after?.['of_role'] as string | undefined
  return { name: after?.['name'] ?? (role !== undefined && key === ownPolicyName(role) ? role : key) }
}

/** The values that differ; what the file leaves out becomes the default. Roles get their parents later. */
function valuesOf(ctx: Pick<Context, 'schema'>, { kind, before, after }: RecordChange, ids: Ids): Entry {
  const described: Described = recordKinds[kind]
  return Object.fromEntries(
    heldFields(ctx, described).flatMap((field): (readonly [string, unknown])[] => {
      const { name } = field
      if (kind === 'role' && name === 'parent') return []
      const fresh = after?.[name] ?? (after !== null && name in after ? null : undefined)
      if (before === null ? fresh === undefined : isDeepStrictEqual(before.entry[name], fresh)) return []
      const refers = described.refers?.[name]
      const value = fresh === undefined ? defaultOf(field) : fresh
      return [[name, refers === undefined || value === null ? value : (ids[refers].get(value as string) ?? null)]]
    }),
  )
}

/** Parents of roles, and the policies that are attached to roles and to everybody. */
async function attach(ctx: Context, { kind, key, before, after }: RecordChange, ids: Ids): Promise<void> {
  const id = (kind === 'role' ? ids.role : ids.policy).get(key) ?? ''
  if (kind === 'role' && !isDeepStrictEqual(before?.entry['parent'], after?.['parent'])) {
    const parent = after?.['parent'] as string | null | undefined
    await updateItem(ctx, 'platform_roles', id, { parent: parent == null ? null : (ids.role.get(parent) ?? null) })
  }
  const wanted =
    kind === 'role' ? ((after?.['policies'] ?? []) as readonly string[]) : after?.['public'] === true ? [key] : []
  const present = before?.parts ?? []
  if (kind === 'role' && isDeepStrictEqual(before?.entry['policies'] ?? [], wanted)) return
  const owner = kind === 'role' ? { role: id } : {}
  const cache = new Map(present.map((each) => [each.policy, each]))
  for (const [at, policy] of wanted.entries()) {
    const cached = cache.get(policy)
    const sort = at + 1
    if (cached === undefined)
      await createItems(ctx, 'platform_access', [{ ...owner, policy: ids.policy.get(policy) ?? null, sort }])
    else if (kind === 'role' && cached.sort !== sort) await updateItem(ctx, 'platform_access', cached.id, { sort })
  }
  const gone = present.filter((each) => !wanted.includes(each.policy) || cache.get(each.policy)?.id !== each.id)
  if (gone.length > 0)
    await deleteItems(
      ctx,
      'platform_access',
      gone.map((each) => each.id),
    )
}

/** Panels have no names: a changed list replaces them. */
async function writePanels(ctx: Context, dashboard: Key, { before, after }: RecordChange): Promise<void> {
  const [old, fresh] = [before?.entry['panels'] ?? [], after?.['panels'] ?? []] as [readonly Entry[], readonly Entry[]]
  if (isDeepStrictEqual(old, fresh)) return
  if (old.length > 0) await deleteItems(ctx, panels.collection, await panelKeys(ctx, dashboard))
  for (const panel of fresh) await createItems(ctx, panels.collection, [{ ...panel, dashboard }])
}

async function panelKeys(ctx: Context, dashboard: Key): Promise<readonly Key[]> {
  const rows = await readAll(ctx, panels.collection)
  return rows.filter((row) => row['dashboard'] === dashboard).map((row) => row['id'] as Key)
}
