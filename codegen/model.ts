/** The specs in memory, as input of the generators. */
import type { RecordModel } from './record-parts.ts'

export type Generation = 'current' | 'legacy'

export type JsonSchema = { readonly [keyword: string]: unknown }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly description?: string
  readonly style?: string
  readonly explode?: boolean
  readonly allowReserved?: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: { readonly [name: string]: { readonly value: unknown } }
}

export type Media = {
  readonly schema?: JsonSchema
  readonly example?: unknown
  readonly examples?: { readonly [name: string]: { readonly value: unknown } }
}

export type RequestBody = {
  readonly required?: boolean
  readonly content: { readonly [media: string]: Media }
}

export type Response = {
  readonly description: string
  readonly content?: { readonly [media: string]: Media }
}

/** One operation. Parameters, body and responses are resolved; schemas keep their `#/components/schemas/…` references. */
export type Operation = {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Whether the operation has `x-search: true`. */
  readonly search: boolean
  /** Whether the operation has `x-independent: true`: it looks up no caller, because it tells what works. */
  readonly independent: boolean
  /** Whether the operation has `x-unidentified: true`: a caller whom nothing can identify in time is the public without rights. */
  readonly unidentified: boolean
  /** Whether the operation has `x-transactional: true`: a transaction can undo all that it does. */
  readonly transactional: boolean
  /** Whether the operation has `x-administrators-only: true`. */
  readonly administratorsOnly: boolean
  /** Whether the operation has `x-keyed: model`: its answer is kept under a key, and it changes the data model. */
  readonly changesModel: boolean
  /** Whether the operation has `x-keyed: contents`: its answer is kept under a key after contents have been received. */
  readonly receives: boolean
  /** `x-current`: what takes the place of a legacy operation; null if it is missing. */
  readonly current: Successor | null
  /** False if the operation has `security: []`. */
  readonly secured: boolean
  readonly parameters: readonly Parameter[]
  readonly requestBody: RequestBody | null
  /** By status code. */
  readonly responses: { readonly [status: string]: Response }
}

/**
 * The operations of the current generation that take the place of one of the legacy generation, and what changes.
 * `stays`: the operation is no part of what will be turned off.
 */
export type Successor = { readonly operations: readonly string[]; readonly changes: string; readonly stays?: boolean }

export type SpecModel = {
  readonly generation: Generation
  /** The bundled document, whose references all point into `#/components`. */
  readonly document: OpenApiDocument
  readonly operations: readonly Operation[]
  /** The records as they are written, before schemas are derived from them. */
  readonly records: readonly RecordModel[]
}

export type OpenApiDocument = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security?: readonly unknown[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } }
  readonly components: { readonly [kind: string]: { readonly [name: string]: unknown } }
}

/** A generated file: path from the repository root, and content. */
export type GeneratedFile = { readonly path: string; readonly text: string }

/** One row of the `generators` list in `codegen.ts`. */
export type Generator = (specs: readonly SpecModel[]) => Promise<readonly GeneratedFile[]>
