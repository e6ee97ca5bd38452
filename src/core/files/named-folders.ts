/** Folders for clients that tell the folders of one folder apart by name. */
import type { Context } from '../../domain/ports/context.ts'
import { and, compare, equals } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { lockSingleton } from '../../sql/statements/locks.ts'
import { writeItems } from '../items/items.ts'
import { hasRow, readAsServer } from '../rows/has-row.ts'
import { systemCollection } from '../rows/keys.ts'
import { withTransaction } from '../rows/transaction.ts'

const folderCollection = 'platform_folders'

/** Throws `not-unique` for a new or moved folder with the name of another in its parent. Folders that have equal names already stay. */
export function writeFolders(ctx: Context, mutation: Mutation): Promise<readonly Key[]> {
  return withTransaction(ctx, async (inner) => {
    await lockSingleton(inner.db, folderCollection)
    const before = new Set((await readPlaces(inner, writtenKeys(mutation))).map(placeText))
    const keys = await writeItems(inner, mutation)
    const moved = (await readPlaces(inner, keys)).filter((folder) => !before.has(placeText(folder)))
    for (const folder of moved) await assertOnlyOne(inner, folder)
    return keys
  })
}

type Folder = { readonly id: string; readonly name: string; readonly parent: string | null }

const placeText = ({ id, name, parent }: Folder): string => JSON.stringify([id, name, parent])

async function readPlaces(ctx: Context, keys: readonly Key[]): Promise<readonly Folder[]> {
  if (keys.length === 0) return []
  const query = { ...rowsOf(folderCollection, ownFields('id', 'name', 'parent')), filter: compare('id', 'in', keys) }
  return (await readAsServer(ctx, query)) as readonly Folder[]
}

function writtenKeys(mutation: Mutation): readonly Key[] {
  if (mutation.kind === 'update-each') return mutation.items.map(({ key }) => key)
  return mutation.kind === 'update' && mutation.target.kind === 'keys' ? mutation.target.keys : []
}

/** Folders without a parent may have equal names. */
async function assertOnlyOne(ctx: Context, { id, name, parent }: Folder): Promise<void> {
  if (parent === null) return
  const others = and(equals('name', name), equals('parent', parent), compare('id', 'nin', [id]))
  if (!(await hasRow(ctx, systemCollection(ctx, folderCollection), others))) return
  throw new TandemError({ kind: 'not-unique', collection: folderCollection, field: 'name', value: name })
}
