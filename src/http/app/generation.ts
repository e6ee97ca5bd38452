/** What a generation is, as one value: its `generation.ts` exports it, `app.ts` puts it to work. */

import type { Context } from '../../domain/ports/context.ts'
import type { Route } from '../../domain/ports/operation.ts'
import type { Credentials } from '../../domain/rights/actor.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import type { HttpRequest } from '../request/request.ts'
import type { DocumentedSpec } from './docs.ts'
import type { AnyHandler } from './handlers.ts'
import type { ErrorAnswer, IsMeant, RateHeaders } from './server.ts'

/** A generation before it is given a database. */
export type GenerationDefinition = {
  readonly name: string
  readonly spec: DocumentedSpec['spec']
  readonly routes: readonly Route[]
  /** By operationId; each `satisfies Handlers<…>` where it is written. */
  readonly handlers: { readonly [operationId: string]: AnyHandler }
  /** The wire form of a failure; null is a fault of ours, whose answer says nothing. */
  readonly toErrorBody: (error: TandemError | null, request: HttpRequest) => ErrorAnswer
  /** How often the client may come, as this generation tells it. */
  readonly rateHeaders: RateHeaders
  /** Finds the token wherever this generation lets it stand, and has it read. */
  readonly readCredentials: (request: HttpRequest, read: (token: string) => Credentials, project: string) => Credentials
  /** Key of the project that a request is for. */
  readonly readProject: (request: HttpRequest, path: { readonly [name: string]: string }) => string
  /** Left out by a generation whose clients ask for nothing beside its spec. */
  readonly isMeant?: IsMeant
  /** Called once per schema version. */
  readonly createView: (schema: Schema) => View
  /** Left out by a generation that has no such files. */
  readonly modelFiles?: ModelFiles
}

/** The data model as a file, for the command line. */
export type ModelFiles = {
  /** Of the whole model, or of the collections named (separated by commas), or of all but those. */
  readonly snapshot: (ctx: Context, only: { readonly include?: string; readonly exclude?: string }) => object
  /** What has to change for the model to be as the file says; null = nothing. */
  readonly compare: (ctx: Context, given: unknown, force: boolean) => ModelChange | null
}

/** `diff` for programs, `lines` for people. */
export type ModelChange = {
  readonly diff: object
  readonly lines: readonly string[]
  readonly apply: () => Promise<void>
}
