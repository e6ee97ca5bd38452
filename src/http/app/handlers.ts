/**
 * `Handlers<Operations>`: exactly one handler per operationId. A handler gets the context and the validated input and
 * returns a success response of its operation. It throws errors.
 */
import type { Request } from 'express'
import type { Context } from '../../domain/ports/context.ts'
import type { OperationTypes } from '../../domain/ports/operation.ts'
import type { Bytes, Json, JsonText, Pieces, Reply, Stream, Text } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import type { ToSteps } from './batch/step-types.ts'

type IsJson<Media> = Media extends `application/${string}json` ? true : false

type BodyOf<Content> = {
  [Media in keyof Content]: IsJson<Media> extends true
    ? JsonText | Json<Content[Media]> | Pieces
    : Text | Bytes | Pieces | Stream
}[keyof Content]

type ReplyOf<Output> = Output extends { readonly status: infer Status extends number; readonly content: infer Content }
  ? Content extends null
    ? Reply<Status, null>
    : Reply<Status, BodyOf<Content>>
  : never

/** Input of a handler besides its typed input: cookies, headers, the request's own URL. */
export type HandlerInput<Input> = Input & {
  readonly request: HttpRequest
  /** The Express request and, as `raw.res`, its response; only for operations with `x-raw`. */
  readonly raw?: Request
  /** Makes the steps of a batch; only for operations with `x-batch`. */
  readonly steps?: ToSteps
  /** Runs the work in the transaction that stores its answer, if one is stored; only for operations with `x-keyed: contents`. */
  readonly once?: Once
}

/** Does the work, or returns its stored answer. */
export type Once = <R extends Reply>(ctx: Context, work: (inner: Context) => Promise<R>) => Promise<R>

/** For handlers that are called without. */
export const always: Once = (ctx, work) => work(ctx)

/** `const items = { … } satisfies Handlers<CurrentItemsOperations>`. */
export type Handlers<Operations extends { [Id in keyof Operations]: OperationTypes }> = {
  readonly [Id in keyof Operations]: (
    ctx: Context,
    input: HandlerInput<Operations[Id]['input']>,
  ) => Promise<ReplyOf<Operations[Id]['output']>>
}

/** A handler as the server calls it, without its types. */
export type AnyHandler = (ctx: Context, input: never) => Promise<Reply>
