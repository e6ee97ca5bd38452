/** A generation as one value: exported by its `generation.ts`, used by `app.ts`. */

import type { ConfigurationModel } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { ProjectImport } from '../../domain/ports/import-source.ts'
import type { InstallationImport } from '../../domain/ports/installation-import.ts'
import type { SecuritySettings } from '../../domain/ports/settings.ts'
import type { WebhookFormat } from '../../domain/ports/webhooks.ts'
import type { Credentials } from '../../domain/rights/actor.ts'
import type { OtherNames, Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import type { Cookie, Reply } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import type { SpecDocument } from '../validation/enforcement.ts'
import type { GenerationParts } from './served-generation.ts'

/** A spec, served as `/docs/<name>.json` and listed in the selection. */
export type DocumentedSpec = {
  readonly name: string
  readonly spec: SpecDocument & { readonly info: { readonly title: string } }
}

/** A generation that is not yet connected to a database. */
export type GenerationDefinition = GenerationParts & {
  readonly spec: DocumentedSpec['spec']
  readonly readProject: NonNullable<GenerationParts['readProject']>
  /** Finds the token in all places where this generation allows it, and reads it. */
  readonly readCredentials: (request: HttpRequest, read: (token: string) => Credentials, project: string) => Credentials
  /**
   * Deletes the cookie by which the token of the request came; null if it came otherwise. Absent if the form of errors
   * does it.
   */
  readonly endedCookie?: (security: Pick<SecuritySettings, 'cookie'>, request: HttpRequest) => Cookie | null
  /** Absent if stored permissions have no field names of this generation. */
  readonly otherNames?: OtherNames
  /** Called once per schema version. */
  readonly createView: (schema: Schema) => View
  /** Absent if no other generation follows this one. */
  readonly retirement?: Retirement
  /** Absent if the generation has no data model files. */
  readonly modelFiles?: ModelFiles
  /** Absent if the generation has no files of projects. */
  readonly configurationModel?: ConfigurationModel
  /** The generation with another prefix of the names of system collections. Absent if it has one spelling. */
  readonly spell?: (systemPrefix: string) => GenerationDefinition
  /** Absent if projects of other servers cannot be imported through the generation. */
  readonly projectImport?: ProjectImport
  /** The form of webhooks whose items look as in this generation. Absent = none. */
  readonly webhookFormat?: WebhookFormat
  /** Absent if the generation takes no installations over. */
  readonly installationImport?: InstallationImport
}

/** How a generation is announced to end, and ends. */
export type Retirement = {
  /** Whether the operation remains when the generation is turned off. */
  readonly stays: (operationId: string) => boolean
  readonly announce: (request: HttpRequest, operationId: string, dates: RetirementDates) => Headers
  /** The answer to operations that are turned off. */
  readonly refuse: (request: HttpRequest, operationId: string) => Reply
}

export type RetirementDates = { readonly since: Date; readonly sunset: Date | null }

type Headers = { readonly [name: string]: string }

/** The data model as a file, for the command line. */
export type ModelFiles = {
  /** Exports the data model: all of it, only the named collections (separated by commas), or all but those. */
  readonly snapshot: (ctx: Context, only: { readonly include?: string; readonly exclude?: string }) => object
  /** The changes that bring the data model to the state of the file; null for none. */
  readonly compare: (ctx: Context, input: unknown, force: boolean) => ModelChange | null
}

/** `diff` is for programs, `lines` for people. */
export type ModelChange = {
  readonly diff: object
  readonly lines: readonly string[]
  readonly apply: () => Promise<void>
}
