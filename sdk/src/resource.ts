/** Objects of methods that a client is put together with: what is not named is not bundled. */
import type { Client, RequestOptions } from './client.ts'
import { itemsAt, singletonAt } from './current-items.ts'

declare const schema: unique symbol
declare const kind: unique symbol

/** A client that knows the schema of its project. */
export type SchemaClient<Schema> = Client & { readonly [schema]?: Schema }

/** From a schema to methods: an interface whose `methods` say `this['schema']`. TypeScript has no generic parameters that are generic. */
export interface Kind {
  readonly schema: unknown
  readonly methods: unknown
}

/** The methods of a kind, for a schema. */
export type MethodsOf<Of extends Kind, Schema> = (Of & { readonly schema: Schema })['methods']

/** Makes the methods of a tag: `users(client)`, or `client.with({ users })`. */
export type Resource<Of extends Kind> = {
  <Schema = {}>(client: SchemaClient<Schema>): MethodsOf<Of, Schema>
  readonly [kind]?: Of
}

/** Resources by the names that they get in the client. */
export type Resources = { readonly [name: string]: ((client: never) => unknown) & { readonly [kind]?: Kind } }

/** What resources add to a client. */
export type Added<Named, Schema> = {
  readonly [Name in keyof Named]: Named[Name] extends { readonly [kind]?: infer Of extends Kind }
    ? MethodsOf<Of, Schema>
    : never
}

/** The methods of each resource. */
export const resourcesOf = (client: Client, resources: object): object =>
  Object.fromEntries(
    Object.entries(resources as { readonly [name: string]: (client: Client) => object }).map(([name, make]) => [
      name,
      make(client),
    ]),
  )

/** Operations as `POST /users/invite body query`: method, path, and what it takes; `search` for reads that exist as SEARCH too. */
type Table = { readonly [method: string]: string }

/** A method per row: it takes the values of the path one by one, then the body, the query and the options. */
export const methodsOf = (client: Client, table: Table): never =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, methodOf(client, row)])) as never

const methodOf = (client: Client, row: string) => {
  const [method = '', path = '', ...takes] = row.split(' ')
  const has = (name: string): boolean => takes.includes(name)
  return async (...given: readonly unknown[]): Promise<unknown> => {
    const values = [...given]
    // The client knows its project.
    const names = path.match(/(?<=\{)(?!project\})\w+/g) ?? []
    const input = {
      path: Object.fromEntries(names.map((name) => [name, values.shift() as string])),
      body: has('body') ? values.shift() : undefined,
      query: has('query') ? (values.shift() as object | undefined) : undefined,
    }
    const operation = { method, path, search: has('search') }
    const answer = await client.request<unknown>(operation, input, values[0] as RequestOptions | undefined)
    return typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer
  }
}

/** The list at a path, and further methods. */
export const withItems = (client: Client, path: string, table: Table = {}, own: object = {}): never =>
  ({ ...itemsAt(client, path), ...(methodsOf(client, table) as object), ...own }) as never

/** The one record at a path, and further methods. */
export const withSingleton = (client: Client, path: string, table: Table = {}): never =>
  ({ ...singletonAt(client, path), ...(methodsOf(client, table) as object) }) as never
