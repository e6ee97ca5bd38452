/** The settings are one row; concurrent writers are serialised. */
import type { Context } from '../../domain/ports/context.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { readSettingEntries } from '../../sql/statements/settings.ts'
import { singletonKey, writeItems } from '../items/items.ts'
import { withTransaction } from '../rows/transaction.ts'

export const settingsCollection = 'platform_settings'

/** A setting that the server stores, and uses only if `projectSettings` knows it. `gone`: it was deleted, and its default is not shown. */
export type SettingEntry = {
  readonly id: number
  readonly key: string
  readonly value: string | null
  readonly gone?: true
}

/** The settings that the server stores without using them. */
export async function readEntries({ db }: Pick<Context, 'db'>): Promise<readonly SettingEntry[]> {
  const text = await readSettingEntries(db)
  return text === null ? [] : (JSON.parse(text) as readonly SettingEntry[])
}

/** Updates the settings row with the changes that `plan` computes from the current entries. */
export async function changeSettings(
  ctx: Context,
  plan: (inner: Context, entries: readonly SettingEntry[]) => Promise<Changes>,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    const changes = await plan(inner, await readEntries(inner))
    const key = await singletonKey(inner, settingsCollection)
    if (key === null) return void (await writeItems(inner, create(changes)))
    const target = { kind: 'keys', keys: [key] } as const
    await writeItems(inner, { kind: 'update', collection: settingsCollection, target, changes })
  })
}

const create = (changes: Changes) => ({ kind: 'create', collection: settingsCollection, items: [changes] }) as const
