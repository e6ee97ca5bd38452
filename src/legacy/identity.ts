/** Writes to rows that clients of this generation name by integers: files and folders. */
import { readFileRow } from '../core/file-row.ts'
import { keysOfNumbers } from '../core/identity-keys.ts'
import type { Context } from '../domain/context.ts'
import type { IdentityCollection } from '../domain/identity.ts'
import type { Key, Mutation } from '../domain/mutation.ts'

type Numbered = Extract<Mutation, { readonly kind: 'update' | 'update-each' | 'delete' }>

/** The same mutation with the stored keys of the rows. */
export async function withStoredKeys(
  ctx: Context,
  collection: IdentityCollection,
  mutation: Mutation,
): Promise<Mutation> {
  const { kind } = mutation
  if (kind === 'update-each') {
    const keys = await storedKeys(ctx, { collection, action: 'update' }, namedBy(mutation))
    const byNumber = new Map([...new Set(namedBy(mutation).map(Number))].map((number, at) => [number, keys[at] as Key]))
    const items = mutation.items.map((item) => ({ ...item, key: byNumber.get(Number(item.key)) as Key }))
    return { ...mutation, items }
  }
  if (kind !== 'update' && kind !== 'delete') return mutation
  const keys = await storedKeys(ctx, { collection, action: kind }, namedBy(mutation))
  return { ...mutation, target: { kind: 'keys', keys } }
}

/** The stored keys of numbered rows, each once, in the order given. */
export const storedKeys = keysOfNumbers

function namedBy(mutation: Numbered): readonly Key[] {
  if (mutation.kind === 'update-each') return mutation.items.map(({ key }) => key)
  return mutation.target.kind === 'keys' ? mutation.target.keys : []
}

/** The id of the file of that number, for one who may read it; else `item-not-found`. */
export async function fileIdOfNumber(ctx: Context, number: string): Promise<string> {
  const [key] = await keysOfNumbers(ctx, { collection: 'platform_files', action: 'read' }, [number])
  return (await readFileRow(ctx, String(key))).id
}
