/** Handlers of a view that shows system collections with another prefix than the stored one. */
import { showNames, showNamesIn, storeNamesIn } from '../../domain/model/system-spelling.ts'
import type { Context } from '../../domain/ports/context.ts'
import { type Reply, textOfJson } from './reply.ts'

type Input = { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown }

type AnyHandler = (ctx: Context, input: Input) => Promise<Reply>

/** Handlers of which any text in a request or an answer may be the name of a system collection. */
export const withSpelledNames = <Handlers extends object>(handlers: Handlers): Handlers =>
  wrapped(handlers, (handle) => async (ctx, input) => {
    const { systemPrefix: prefix } = ctx.view
    if (prefix === undefined) return handle(ctx, input)
    return showNamesOf(await handle(ctx, toStored(input, prefix)), prefix)
  })

export function wrapped<Handlers extends object>(
  handlers: Handlers,
  wrap: (handle: AnyHandler) => AnyHandler,
): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, wrap(handle as AnyHandler)] as const),
  ) as Handlers
}

const toStored = ({ path, query, body, ...rest }: Input, prefix: string): Input => ({
  ...rest,
  path: storeNamesIn(path, prefix),
  query: storeNamesIn(query, prefix),
  ...(body === undefined ? {} : { body: storeNamesIn(body, prefix) }),
})

function showNamesOf(reply: Reply, prefix: string): Reply {
  const { body } = reply
  switch (body?.kind) {
    case 'json':
      return { ...reply, body: { ...body, value: showNamesIn(body.value, prefix) } }
    case 'text':
      return { ...reply, body: { ...body, text: showNames(body.text, prefix) } }
    case 'json-text':
      return { ...reply, body: { ...body, text: showNames(textOfJson(body), prefix) } }
    default:
      return reply
  }
}
