/**
 * Typed GraphQL with graphql-codegen: `generated/bookshop-documents.ts` is generated from the SDL of a project
 * (`GET /server/specs/graphql`, here `bookshop.graphql`) and `bookshop-titles.graphql`, with the plugins
 * `typescript-operations` and `typed-document-node`, and `documentMode: 'string'`.
 */
import { createCurrentClient } from '@tandem/sdk/current'
import { TitlesDocument } from './generated/bookshop-documents.ts'

/** Lines such as `Hills, by Ann`. */
export async function listBooks(url: string, token: string): Promise<readonly string[]> {
  const client = createCurrentClient({ url, token })
  const { books } = await client.graphql(TitlesDocument, { limit: 3 })
  // @ts-expect-error The document does not ask for the id.
  for (const { id } of books) if (id !== undefined) throw new Error('Expected no id')
  return books.map(({ title, author }) => (author == null ? title : `${title}, by ${author.name}`))
}
