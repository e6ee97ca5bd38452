import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes, KeyedChanges, RelatedChange } from '../../domain/query/mutation.ts'
import type { FieldRelation } from '../../domain/schema/schema.ts'

export type ManyRelation = Extract<FieldRelation, { readonly kind: 'one-to-many' }>

export type ToMany = Extract<Change, { readonly kind: 'replace' | 'detail' }>

/** The changes of one to-many field of one written row. */
export type Entry = {
  readonly parent: { readonly collection: string; readonly key: Key; readonly isNew: boolean }
  readonly relation: ManyRelation
  readonly change: NamedRows
  readonly path: string
  /** The foreign key is part of the row's composite key, so the row cannot move to another parent. */
  readonly isInKey: boolean
}

/** The changes of a to-many field with the keys of their rows. An item without a key is new. */
export type NamedRows =
  | { readonly kind: 'replace'; readonly items: readonly RelatedChange[] }
  | {
      readonly kind: 'detail'
      readonly create: readonly Changes[]
      readonly update: readonly KeyedChanges[]
      readonly delete: readonly Key[]
      readonly upsert: readonly Item[]
      readonly erase: readonly Key[]
      readonly isLate?: true
    }

export type Item = { readonly key: Key | null; readonly changes: Changes }
