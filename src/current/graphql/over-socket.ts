/** GraphQL over sockets. A subscription is a query of the item's fields, judged for each change. */
import type { Context } from '../../domain/ports/context.ts'
import type { Seen } from '../../domain/ports/feed.ts'
import type { BegunOperation, Operations } from '../../domain/ports/messages.ts'
import type { Key } from '../../domain/query/key.ts'
import type { SelectedField } from '../../graphql/selected-field.ts'
import { createProtocol, subprotocol } from '../../graphql/transport-protocol.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { messages } from '../realtime/messages.ts'
import { graphqlView } from '../views/graphql-view.ts'
import { openCollection, openSystemCollection } from '../wire/collections.ts'
import { beginGraphql, type Special } from './graphql.ts'
import { toChangesQuery } from './query.ts'

/** `special`: the root fields that have answers of their own. */
export const operationsWith = (special: Special): Operations<HttpRequest> => ({
  async begin(ctx, { scope, payload, request }) {
    const begun = await beginGraphql(ctx, { scope, request, body: payload }, special)
    return begun.kind === 'changes' ? toChanges(ctx, begun.collection, begun.selected) : begun
  },
  toError(error) {
    const { message, code } = messages.toError(error)
    return { message, extensions: { code } }
  },
  subprotocol,
  createProtocol,
})

const judgeIn = (ctx: Context): Context => ({ ...ctx, view: graphqlView(ctx.view, ctx.schema) })

function toChanges(input: Context, name: string, selected: SelectedField): BegunOperation {
  const ctx = judgeIn(input)
  const open = ctx.schema.collections.get(name)?.system === true ? openSystemCollection : openByCoreName
  const { collection, visible } = open(ctx, name, 'read')
  const { event } = selected.args
  return {
    kind: 'changes',
    query: toChangesQuery(selected, collection.name, visible),
    event: event === undefined || event === null ? null : (event as Seen['kind']),
    judgeIn,
    tell: (seen) => `{"data":{${JSON.stringify(selected.key)}:${toText(selected, seen)}}}`,
  }
}

const openByCoreName: typeof openCollection = (ctx, name, action) =>
  openCollection(ctx, ctx.view.byCore.get(name)?.name ?? name, action)

/** The change with its members in the order of the selection; those of the item are together, as the database writes them. */
function toText(selected: SelectedField, { kind, key, json }: Seen): string {
  const items = selected.fields.filter(({ name }) => name === 'data')
  const [first] = items
  const dataText = json === null ? items.map((each) => `${JSON.stringify(each.key)}:null`).join(',') : json.slice(1, -1)
  const members = selected.fields.flatMap((each) => {
    if (each.name === 'data') return each === first ? [dataText] : []
    return [`${JSON.stringify(each.key)}:${JSON.stringify(valueOf(each, kind, key))}`]
  })
  return `{${members.join(',')}}`
}

function valueOf({ name, parent }: SelectedField, kind: Seen['kind'], key: Key | null): string | null {
  if (name === '__typename') return parent
  if (name !== 'key') return kind
  return key === null ? null : String(key)
}
