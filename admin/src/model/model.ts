/** What the application knows of the project: collections with fields, relations, and what the user may do. */
import { toResource } from './names.ts'

export type Action = 'create' | 'read' | 'update' | 'delete' | 'share'

/** What the user may do: with all items, some or none, and with which fields. */
export type Right = {
  readonly access: 'full' | 'partial' | 'none'
  readonly fields?: readonly string[]
  readonly presets?: { readonly [field: string]: unknown }
}

export type Translated = { readonly language: string; readonly translation: string }

export type Choice = { readonly text: string; readonly value: string | number; readonly color?: string | null }

export type Condition = {
  readonly rule?: object
  readonly hidden?: boolean
  readonly readonly?: boolean
  readonly required?: boolean
  readonly options?: object
}

export type FieldMeta = {
  readonly interface: string | null
  readonly options: { readonly [option: string]: unknown } | null
  readonly display: string | null
  readonly display_options: { readonly [option: string]: unknown } | null
  readonly hidden: boolean
  readonly readonly: boolean
  readonly required: boolean
  readonly sort: number | null
  readonly width: string | null
  readonly note: string | null
  readonly group: string | null
  readonly special: readonly string[] | null
  readonly conditions: readonly Condition[] | null
  readonly translations: readonly Translated[] | null
  readonly validation: object | null
  readonly validation_message: string | null
}

export type FieldSchema = {
  readonly default_value: unknown
  readonly max_length: number | null
  readonly is_nullable: boolean
  readonly is_primary_key: boolean
  readonly is_generated: boolean
  readonly has_auto_increment: boolean
}

export type Field = {
  readonly collection: string
  readonly field: string
  readonly type: string
  readonly schema: FieldSchema | null
  readonly meta: Partial<FieldMeta> | null
}

export type RelationMeta = {
  readonly many_collection: string
  readonly many_field: string
  readonly one_collection: string | null
  readonly one_field: string | null
  readonly one_collection_field: string | null
  readonly one_allowed_collections: readonly string[] | null
  readonly junction_field: string | null
  readonly sort_field: string | null
}

export type Relation = {
  readonly collection: string
  readonly field: string
  readonly related_collection: string | null
  readonly meta: RelationMeta | null
}

export type CollectionMeta = {
  readonly icon: string | null
  readonly note: string | null
  readonly hidden: boolean
  readonly singleton: boolean
  readonly display_template: string | null
  readonly archive_field: string | null
  readonly archive_app_filter: boolean
  readonly archive_value: string | null
  readonly unarchive_value: string | null
  readonly sort_field: string | null
  readonly group: string | null
  readonly sort: number | null
  readonly translations: readonly Translated[] | null
  readonly accountability: string | null
  readonly versioning: boolean
}

export type Collection = {
  readonly name: string
  readonly meta: Partial<CollectionMeta>
  /** A folder groups collections and has no table. */
  readonly isFolder: boolean
  readonly isSystem: boolean
  readonly fields: readonly Field[]
  /** The field of the key: `$key` for keys of several columns, which the server joins; null for views without one. */
  readonly key: string | null
  readonly rights: { readonly [action in Action]?: Right }
  /** Which items another user would see, while the application is seen as that user. */
  readonly readFilter?: object
}

export type Me = {
  readonly id: string
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly avatar: string | null
  readonly language: string | null
  readonly appearance: string | null
  readonly tfa_secret: string | null
}

export type Model = {
  readonly collections: ReadonlyMap<string, Collection>
  readonly relations: readonly Relation[]
  readonly me: Me
  readonly isAdmin: boolean
  /** Whether the user may use the application at all. */
  readonly hasApp: boolean
  readonly projectName: string
  /** Whether the server tells changes as they happen. */
  readonly isLive: boolean
}

/** A collection by the name of its resource. */
export const ofResource = (model: Model, resource: string): Collection | undefined =>
  [...model.collections.values()].find(({ name }) => toResource(name) === resource)

export const hasRight = ({ rights }: Collection, action: Action): boolean => {
  const right = rights[action]
  return right !== undefined && right.access !== 'none'
}

/** Whether the user may read or write a field. */
export const hasFieldRight = ({ rights }: Collection, action: Action, field: string): boolean => {
  const right = rights[action]
  if (right === undefined || right.access === 'none') return false
  return right.fields === undefined || right.fields.includes('*') || right.fields.includes(field)
}
