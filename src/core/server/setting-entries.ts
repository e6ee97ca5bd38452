/** The settings as one row that several writers change: each waits for the one before it. */
import type { Context } from '../../domain/ports/context.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { readSettingEntries } from '../../sql/statements/settings.ts'
import { singletonKey, writeItems } from '../items/items.ts'
import { withTransaction } from '../rows/transaction.ts'

/** Collection of the settings. */
export const settingsCollection = 'platform_settings'

/** A setting that the server only keeps. `gone`: it was deleted, and is not to be shown with its default. */
export type SettingEntry = {
  readonly id: number
  readonly key: string
  readonly value: string | null
  readonly gone?: true
}

/** The settings that the server only keeps. */
export async function readEntries({ db }: Pick<Context, 'db'>): Promise<readonly SettingEntry[]> {
  const text = await readSettingEntries(db)
  return text === null ? [] : (JSON.parse(text) as readonly SettingEntry[])
}

/** Writes to the row of the settings what `plan` makes of the entries as they are then. */
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
