/** Operations that come by a socket: queries and mutations are run, and of subscriptions is read what they ask. */
import { type GraphQLError, type GraphQLFormattedError, Kind, OperationTypeNode } from 'graphql'
import type { DocumentLimits } from '../domain/ports/settings.ts'
import type { Documents } from './documents.ts'
import { type Exchange, runPrepared } from './endpoint.ts'
import { overSocket, type Prepared, prepare, type RefusalCodes, readDocument, refusalsOf } from './prepare.ts'
import { type FieldScope, rootNodes, type SelectedField, toSelectedField } from './selected-field.ts'

export type SocketOperation =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLFormattedError[] }
  /** The whole answer as JSON text. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'changes'; readonly collection: string; readonly selected: SelectedField }

/** What came by the socket, and how it is run. */
export type SocketExchange = Omit<Exchange, 'method' | 'url' | 'headers'>

export type SocketOperations = (exchange: SocketExchange) => Promise<SocketOperation>

/** `documents`: the cache of the endpoint by HTTP. */
export const createSocketOperations =
  (limits: DocumentLimits, codes: RefusalCodes, documents: Documents): SocketOperations =>
  async (socketExchange) => {
    const exchange: Exchange = { ...socketExchange, method: overSocket, url: '', headers: {} }
    const { body, refusal } = readDocument(exchange, limits.persisted)
    if (refusal !== null) return refused([refusal])
    const prepared = prepare(documents, exchange, body)
    if (Array.isArray(prepared)) return refused(refusalsOf(prepared as readonly GraphQLError[], codes))
    const operation = prepared as Prepared
    if (operation.definition.operation === OperationTypeNode.SUBSCRIPTION) return readChanges(operation)
    return { kind: 'answer', text: (await runPrepared(operation, exchange)).pieces.join('') }
  }

const refused = (errors: readonly GraphQLError[]): SocketOperation => ({
  kind: 'refused',
  errors: errors.map((error) => error.toJSON()),
})

/** Validation lets pass one field only; `@skip` can leave none. */
function readChanges({ served, document, definition, coerced }: Prepared): SocketOperation {
  const type = served.schema.getSubscriptionType()
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
  const fieldScope: FieldScope = {
    schema: served.schema,
    variables: coerced,
    fragments: new Map(fragments.map((each) => [each.name.value, each])),
  }
  const [root] = type == null ? [] : rootNodes(fieldScope, type, definition.selectionSet)
  const collection = served.subscription.get(root?.nodes[0]?.name.value ?? '')
  if (type == null || root === undefined || collection === undefined)
    return { kind: 'refused', errors: [{ message: 'Expected a field of Subscription.' }] }
  return { kind: 'changes', collection, selected: toSelectedField(fieldScope, type, root) }
}
