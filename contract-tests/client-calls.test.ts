/** Clients that public generators make of the served document do forty calls each, in order, and get what they expect. */
import { join } from 'node:path'
import createFetchClient from 'openapi-fetch'
import { afterAll, test, vi } from 'vitest'
import { openOwnDatabase } from './own-database.ts'
import { type Caller, callTables, doCalls } from './spec-calls.ts'
import { writeClientsOf } from './spec-clients.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(async () => {
  clients.remove()
  await own.close()
})

type Document = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } }
}
type Operation = readonly [method: string, path: string]

/** The operations of a document by their ids, in camel case as generators write them. */
const operationsOf = ({ paths }: Document): ReadonlyMap<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [toCamelCase(operationId), [method, path]] as const),
    ),
  )

const toCamelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const own = await openOwnDatabase(callTables)
const document = (await own.ask('GET /server/specs/oas')).body as Document
const operations = operationsOf(document)
const clients = await writeClientsOf(document, own.url)

function operationOf(name: string): Operation {
  const found = operations.get(name)
  if (found === undefined) throw new Error(`The document has no ${name}.`)
  return found
}

const openHeyApi = async (): Promise<Caller> => {
  const sdk = await import(join(clients.heyApi, 'sdk.gen.ts'))
  const common = { baseUrl: own.url, headers: { authorization: `Bearer ${own.adminToken}` } }
  return async (name, input) => {
    const { data, error, response } = await sdk[name]({ ...common, ...input })
    return { status: response.status, data: data ?? error }
  }
}

const openOazapfts = async (): Promise<Caller> => {
  const sdk = await import(join(clients.oazapfts, 'client.ts'))
  Object.assign(sdk.defaults, { baseUrl: own.url, headers: { authorization: `Bearer ${own.adminToken}` } })
  return (name, { path = {}, query, body }) =>
    sdk[name](...Object.values(path), ...(body === undefined ? [] : [body]), ...(query === undefined ? [] : [query]))
}

// What is generated for it are the types only: it is called by method and path.
const openOpenapiFetch = async (): Promise<Caller> => {
  const client = createFetchClient<never>({
    baseUrl: own.url,
    headers: { authorization: `Bearer ${own.adminToken}` },
  }) as unknown as { readonly request: (method: string, path: string, init: object) => Promise<FetchAnswer> }
  return async (name, { path, query, body }) => {
    const { data, error, response } = await client.request(...operationOf(name), { params: { path, query }, body })
    return { status: response.status, data: data ?? error }
  }
}
type FetchAnswer = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }

const openOrval = async (): Promise<Caller> => {
  const sdk = await import(join(clients.orval, 'client.ts'))
  const options = { headers: { authorization: `Bearer ${own.adminToken}` } }
  return (name, { path = {}, query, body }) => {
    const call = sdk[name]
    const given = [
      ...Object.values(path),
      ...(body === undefined ? [] : [body]),
      ...(query === undefined ? [] : [query]),
    ]
    // The options come last, after parameters that may be left out.
    return call(...Array.from({ length: call.length - 1 }, (_, at) => given[at]), options)
  }
}

test.each([
  ['hey-api', openHeyApi],
  ['oazapfts', openOazapfts],
  ['openapi-fetch', openOpenapiFetch],
  ['orval', openOrval],
])('the client of %s does forty calls', async (_name, open) => {
  await doCalls(own, await open())
})
