/**
 * Typed GraphQL with gql.tada: the types of data and variables come from the document. `bookshop.graphql` is the SDL of
 * a project (`GET /server/specs/graphql`), and `npx gql.tada generate output` writes `bookshop-introspection.ts` from it.
 */
import { createCurrentClient, type GraphqlDocument } from '@tandem/sdk/current'
import { initGraphQLTada, type TadaDocumentNode } from 'gql.tada'
import { print } from 'graphql'
import type { introspection } from './bookshop-introspection.ts'

const graphql = initGraphQLTada<{ introspection: typeof introspection }>()

/** The text of a document, with the types of the document. */
const toText = <Data, Variables>(document: TadaDocumentNode<Data, Variables>) =>
  print(document) as GraphqlDocument<Data, Variables>

const titles = toText(
  graphql(`
  query Titles($limit: Int) {
    books(limit: $limit, sort: ["title"]) { title author { name } }
  }
`),
)

/** Lines such as `Hills, by Ann`. */
export async function listBooks(url: string, token: string): Promise<readonly string[]> {
  const client = createCurrentClient({ url, token })
  const { books } = await client.graphql(titles, { limit: 3 })
  // @ts-expect-error The document does not ask for the id.
  for (const { id } of books) if (id !== undefined) throw new Error('Expected no id')
  return books.map(({ title, author }) => (author === null ? title : `${title}, by ${author.name}`))
}
