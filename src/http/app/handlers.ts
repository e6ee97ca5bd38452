/**
 * `Handlers<Operations>`: one handler per operationId, no more and no less. A handler gets the
 * context and the validated input, and returns one of the successful answers of its operation;
 * failures are thrown.
 */
import type { Request } from 'express'
import type { Context } from '../../domain/ports/context.ts'
import type { OperationTypes } from '../../domain/ports/operation.ts'
import type { Bytes, Json, JsonText, Pieces, Reply, Stream, Text } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'

type IsJson<Media> = Media extends `application/${string}json` ? true : false

type BodyOf<Content> = {
  [Media in keyof Content]: IsJson<Media> extends true
    ? JsonText | Json<Content[Media]>
    : Text | Bytes | Pieces | Stream
}[keyof Content]

type ReplyOf<Output> = Output extends { readonly status: infer Status extends number; readonly content: infer Content }
  ? Content extends null
    ? Reply<Status, null>
    : Reply<Status, BodyOf<Content>>
  : never

/** What a handler sees of the request besides its typed input: cookies, headers, its own URL. */
export type HandlerInput<Input> = Input & {
  readonly request: HttpRequest
  /** The message itself and, as `raw.res`, its answer; where the operation says `x-raw` in its spec. */
  readonly raw?: Request
}

/** `const items = { … } satisfies Handlers<CurrentItemsOperations>`. */
export type Handlers<Operations extends { [Id in keyof Operations]: OperationTypes }> = {
  readonly [Id in keyof Operations]: (
    ctx: Context,
    input: HandlerInput<Operations[Id]['input']>,
  ) => Promise<ReplyOf<Operations[Id]['output']>>
}

/** A handler as the server calls it, after the types have done their work. */
export type AnyHandler = (ctx: Context, input: never) => Promise<Reply>
