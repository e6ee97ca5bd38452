/** Errors of GraphQL requests that concern no field. */
import type { Operation } from '../verify/src/spec/operations.ts'

/** A mutation in place of a query, and how it is sent. */
export type GraphqlRequest = RequestInit & {
  readonly mutation?: boolean
  readonly generation?: Operation['generation']
}

const cookies = { cookie: 'platform_session_token=x', origin: 'https://elsewhere.example.com' }
const posted = { method: 'POST', body: '{"query":"{ __typename }"}' }
const json = { 'content-type': 'application/json' }
const stranger = { ...posted, headers: { ...json, ...cookies } }
const legacyCookie = { ...json, ...cookies, cookie: 'platform-_-session=x' }
const legacyStranger = { ...posted, headers: legacyCookie, generation: 'legacy' }
/** Operation, the request in words, its difference from a plain query, and the status. */
export const refusedGraphql = [
  ['runGraphql', 'the page of another origin with a cookie', stranger, 403],
  ['runSystemGraphql', 'the page of another origin with a cookie', stranger, 403],
  ['runGraphql', 'the same of the legacy generation', legacyStranger, 403],
  ['runGraphql', 'a picture as the answer', { ...posted, headers: { ...json, accept: 'image/png' } }, 406],
  ['runSystemGraphql', 'a picture as the answer', { ...posted, headers: { ...json, accept: 'image/png' } }, 406],
  ['runGraphqlQuery', 'a picture as the answer', { headers: { accept: 'image/png' } }, 406],
  ['runSystemGraphqlQuery', 'a picture as the answer', { headers: { accept: 'image/png' } }, 406],
  ['runGraphqlQuery', 'a mutation', { mutation: true }, 405],
  ['runSystemGraphqlQuery', 'a mutation', { mutation: true }, 405],
] as const
