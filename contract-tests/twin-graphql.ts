/** GraphQL of both generations as languages of twins: a document with one field of Query → the query that it asks. */
import { getOperationAST, parse, validate } from 'graphql'
import { toGroupsQuery } from '../src/current/graphql/groups.ts'
import { toListQuery } from '../src/current/graphql/query.ts'
import { servedSchema as serveCurrent } from '../src/current/views/graphql-schemas.ts'
import { graphqlView } from '../src/current/views/graphql-view.ts'
import type { Context } from '../src/domain/ports/context.ts'
import type { Query } from '../src/domain/query/query.ts'
import type { View } from '../src/domain/schema/view.ts'
import type { Root, ServedSchema } from '../src/graphql/schema/schema-types.ts'
import { rootNodes, type SelectedField, toSelectedField } from '../src/graphql/selected-field.ts'
import { toReads } from '../src/legacy/graphql/query.ts'
import { servedSchema as serveLegacy } from '../src/legacy/graphql/schema.ts'
import { twinSchema as schema } from './twins-schema.ts'

/** What the parsers look at. */
export type TwinPlace = Pick<Context, 'actor' | 'limits' | 'schema' | 'view'>

/** What a document has no name for: what the caller may not read does not exist for it. */
export class UnknownName extends Error {}

/** The query of a document for `/graphql`, or for `/graphql/system` if it asks the system. */
export function parseGraphql(document: string, place: TwinPlace): Query {
  const scope = /^\{\s*(files|folders)\b/.test(document) ? 'system' : 'items'
  const { asked: selected, root } = readField(document, serveCurrent({ ...place, server: {} } as Context, scope))
  const query = root.kind === 'groups' ? toGroupsQuery : toListQuery
  return withoutLayout(query(selected, root.collection, place))
}

/** The query of a document for the older generation. */
export const parseGql = (document: string, place: TwinPlace): Query => {
  const { asked: selected, root } = readField(document, serveLegacy(place))
  return toReads(selected, root.collection, place)[0].read.query
}

/** The view of GraphQL in the current generation. */
export const viewGraphql = (view: View): View => graphqlView(view, schema)

/** The form of groups is the language's own. */
function withoutLayout(query: Query): Query {
  if (query.aggregation?.layout === undefined) return query
  const { layout: _form, ...aggregation } = query.aggregation
  return { ...query, aggregation }
}

type Field = { readonly asked: SelectedField; readonly root: Exclude<Root, { readonly kind: 'named' }> }

function readField(text: string, served: ServedSchema): Field {
  const document = parse(text)
  const [wrong] = validate(served.schema, document)
  if (wrong !== undefined) throw new UnknownName(wrong.message)
  const type = served.schema.getQueryType()
  const operation = getOperationAST(document)
  if (type == null || operation == null) throw new Error('Expected a query')
  const asking = { schema: served.schema, fragments: new Map(), variables: {} }
  const [nodes] = rootNodes(asking, type, operation.selectionSet)
  if (nodes === undefined) throw new Error('Expected a field')
  const selected = toSelectedField(asking, type, nodes)
  const root = served.query.get(selected.name)
  if (root === undefined || root.kind === 'named') throw new Error('Expected a field for a collection')
  return { asked: selected, root }
}
