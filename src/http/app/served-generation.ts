import type { Count } from '../../counters/counter.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Messages, Operations } from '../../domain/ports/messages.ts'
import type { Route } from '../../domain/ports/operation.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import type { Reply } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import type { SpecDocument } from '../validation/enforcement.ts'
import type { AnyHandler } from './handlers.ts'

/** What a generation is made of, whether or not it is connected to projects. */
export type GenerationParts = {
  readonly name: string
  readonly spec: SpecDocument
  readonly routes: readonly Route[]
  /** By operationId; each `satisfies Handlers<…>` where it is written. */
  readonly handlers: { readonly [operationId: string]: AnyHandler }
  /**
   * The body of an error. Null stands for an unexpected error, whose answer reveals nothing; `isOfDatabase`: but that it
   * came from the database.
   */
  readonly toErrorBody: (error: TandemError | null, request: HttpRequest, isOfDatabase?: boolean) => ErrorAnswer
  readonly rateHeaders: RateHeaders
  /** Key of the project that a request is for; absent = the default one. */
  readonly readProject?: (request: HttpRequest, path: { readonly [name: string]: string }) => string
  /** Absent if clients of the generation request only paths of its spec. */
  readonly isMeant?: IsMeant
  /** Whether the request certainly comes from a client of the generation. Decides on paths that several serve. */
  readonly isClient?: (request: HttpRequest) => boolean
  /** Absent if the generation has no messages of sockets. */
  readonly messages?: Messages<HttpRequest>
  /** Absent if the generation has no GraphQL over sockets. */
  readonly operations?: () => Promise<Operations<HttpRequest>>
}

/** An API generation as the server uses it. */
export type Generation = GenerationParts & {
  /** Without what surrounds a whole request, such as the response cache; for the operations of a batch. */
  readonly plainHandlers?: GenerationParts['handlers']
  /** Headers added to all answers of an operation. */
  readonly announce?: ((request: HttpRequest, operationId: string) => { readonly [name: string]: string }) | undefined
  /** The answer in place of an operation that is turned off; null for one that is served. */
  readonly refuse?: ((request: HttpRequest, operationId: string) => Reply | null) | undefined
  /**
   * Finds the caller (unless the route reads no credentials) and makes the context of the handler. `counts` (the default):
   * it is a request of its API key, not a caller looked up again.
   */
  readonly authenticate: (request: HttpRequest, route: Route, counts?: boolean) => Promise<Context>
  /**
   * The context to retry a failed request with; null if there is no newer one, or if part of the request is already
   * done.
   */
  readonly renew?: (ctx: Context, error: unknown) => Promise<Context | null>
}

/**
 * Whether a request without a matching operation comes from a client of the generation and gets an error in its form.
 * `isElsewhere`: the path begins like one of another generation.
 */
export type IsMeant = (request: Pick<HttpRequest, 'path' | 'headers'>, isElsewhere: boolean) => boolean

export type RateHeaders = (count: Count) => { readonly [name: string]: string }

export type ErrorAnswer = {
  readonly status: number
  readonly body: unknown
  /** Media type of the body; JSON by default. */
  readonly type?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Answers GET on a path; null if there is no page. */
export type Page = (path: string, request: HttpRequest) => Promise<Reply | null>

/** The generation that answers requests without a matching operation. */
export type MeantBy = (...parameters: Parameters<IsMeant>) => Generation | undefined
