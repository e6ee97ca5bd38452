/** The configuration of a project as neutral data: names in place of ids, defaults left out. */
import type { UsedAs } from '../query/usage.ts'
import type { Context } from './context.ts'

/** A part of a file, read key by key. */
export type Entry = { readonly [key: string]: unknown }

export type Entries = { readonly [name: string]: Entry }

/** Everything that the files of a project say. Null: there is no such file. */
export type ProjectDocument = {
  /** Data model, rights and levels, by collection. */
  readonly collections: Entries
  readonly roles: Entries
  readonly policies: Entries
  readonly dashboards: Entries
  /** By language: key → text. */
  readonly translations: { readonly [language: string]: { readonly [key: string]: string } }
  readonly settings: Entry | null
  readonly presets: readonly Entry[] | null
  /** Secrets are references to variables of the environment. */
  readonly webhooks: readonly Entry[] | null
}

export type FileKind =
  | 'collection'
  | 'role'
  | 'policy'
  | 'dashboard'
  | 'translations'
  | 'settings'
  | 'presets'
  | 'webhooks'

/** A change of a plan, in words and for those who look for whom it breaks. */
export type PlannedChange = {
  readonly words: string
  readonly effect: 'create' | 'change' | 'delete'
  readonly collection: string | null
  /** Null: not of single fields. */
  readonly fields: readonly string[] | null
  /** The policy whose rights change. */
  readonly policy: string | null
  /** What clients can no longer do as before. */
  readonly breaks: readonly Access[]
  readonly severity: Severity
  /** Those of `breaks` that may break; absent = as `severity` states. */
  readonly perhaps?: readonly Access[]
  /** What breaks clients that do not name the fields, too: creating items without a demanded one, for example. */
  readonly unnamed?: Breaks
  /** What is lost elsewhere: the rights of a policy, or the items that a relation deletes. */
  readonly lost?: readonly LostRight[]
  /** Operations that only administrators may use are lost; absent = they are not. */
  readonly administration?: Exclude<Severity, 'safe'>
  /** Only clients of an older generation notice the change. */
  readonly isOlder?: boolean
}

/** Fields null: the collection as a whole. */
export type LostRight = Pick<PlannedChange, 'breaks' | 'perhaps' | 'fields'> & { readonly collection: string }

/** How far each access breaks; absent = not at all. */
export type Breaks = { readonly [A in Access]?: Severity }

/** `perhaps`: it depends on the values of a client, or on how it reads. */
export type Severity = 'breaking' | 'perhaps' | 'safe'

/** The stronger of several; without any, `safe`. */
export const strongest = (all: readonly Severity[]): Severity =>
  (['breaking', 'perhaps'] as const).find((each) => all.includes(each)) ?? 'safe'

/** A client that uses what a change takes away, with the operation and the path. */
export type AffectedClient = {
  readonly client: string
  readonly generation: string
  readonly operation: string
  readonly access: UsedAs
  /** Empty for a call of an operation. */
  readonly path: string
  readonly severity: Exclude<Severity, 'safe'>
  /** Time of its last call, in ISO 8601. */
  readonly lastCall: string
}

/** A change with the clients that are counted for what it takes away, the latest first. */
export type ChangeWithClients = PlannedChange & { readonly clients: readonly AffectedClient[] }

export type Access = 'create' | 'read' | 'update' | 'delete'

export type ComparedModel = {
  readonly changes: readonly PlannedChange[]
  /** Makes the changes within a running change of the schema. */
  readonly apply: (inner: Context) => Promise<void>
}

/** How a generation reads and writes the data model in files. */
export type ConfigurationModel = {
  /** The fault and its place; null if the value is a file of the kind. */
  readonly check: (
    kind: FileKind,
    value: unknown,
  ) => { readonly path: readonly string[]; readonly reason: string } | null
  /** The JSON Schema of a kind of file, for editors. */
  readonly schemaOf: (kind: FileKind) => object
  /** The document with the stored names of system collections, which files may spell with another prefix. */
  readonly storedNames: (ctx: Pick<Context, 'schema'>, document: ProjectDocument) => ProjectDocument
  /** The present data model, by collection. */
  readonly collections: (ctx: Context) => Entries
  /** The collections of a snapshot of another server of the platform; `ignored` is called for parts that this server does not support. */
  readonly adopt: (snapshot: object, ignored: (keys: readonly string[]) => void) => Entries
  /** `secrets`: texts that no words may contain. */
  readonly compare: (ctx: Context, wanted: Entries, secrets: ReadonlySet<string>) => ComparedModel
}
