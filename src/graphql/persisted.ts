/** Documents that are named by their hash instead of being sent. */

import { GraphQLError } from 'graphql'
import { memoizeBy } from '../domain/memoize.ts'
import type { PersistedDocuments } from '../domain/ports/context.ts'

/** What is asked: the text, or why it is refused. */
export type Named = { readonly text: string } | { readonly refusal: GraphQLError } | 'as sent'

type Request = { readonly [name: string]: unknown }

/** The document of a request. `as sent`: its own text, or that it has none, is dealt with as always. */
export function findDocument(request: Request, persisted: PersistedDocuments | null): Named {
  if (persisted === null) return hashOf(request) === null || hasText(request) ? 'as sent' : unknownDocument()
  if (hasText(request)) {
    const isKnown = !persisted.isOnly || textsOf(persisted).has(request['query'] as string)
    return isKnown ? 'as sent' : refusal('Expected a document that the server knows', 'PERSISTED_QUERY_ONLY')
  }
  const hash = hashOf(request)
  if (hash === null) return 'as sent'
  const text = persisted.texts.get(hash)
  return text === undefined ? unknownDocument() : { text }
}

const hasText = ({ query }: Request): boolean => query !== undefined && query !== null && query !== ''

/** `documentId` is the name of the draft, `extensions.persistedQuery` that of an older convention. */
function hashOf({ documentId, extensions }: Request): string | null {
  const older = member(member(extensions, 'persistedQuery'), 'sha256Hash')
  const hash = documentId ?? older
  return typeof hash === 'string' ? hash.replace(/^sha256:/, '').toLowerCase() : null
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Request)[name] : undefined

const textsOf = memoizeBy((persisted: PersistedDocuments): ReadonlySet<string> => new Set(persisted.texts.values()))

const refusal = (message: string, code: string): Named => ({
  refusal: new GraphQLError(message, { extensions: { code } }),
})

/** The message is a word of the convention: its clients send the text then. */
const unknownDocument = (): Named => refusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND')
