/** Which clients use what a change takes away, by the counts of a server. */
import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import type { Change, ChangeLocation, CountedClient } from './change.ts'
import { defaultOf } from './sdl.ts'

/** A row of `GET /usage`, or of `tandem usage --json`. */
export type Use = {
  readonly client: string
  readonly generation: string
  readonly operation: string
  readonly access: string
  readonly path: string
  readonly lastCall: string
}

/** Reads the counts. Throws for anything else. */
export function readUses(text: string): readonly Use[] {
  const input = JSON.parse(text) as unknown
  const rows = Array.isArray(input) ? input : (input as { readonly data?: unknown } | null)?.data
  if (!Array.isArray(rows)) throw new Error('Expected the answer of GET /usage, or the output of "tandem usage --json"')
  return rows.map((row: { readonly [key: string]: unknown }) => ({
    client: String(row['client']),
    generation: String(row['generation']),
    operation: String(row['operation']),
    access: String(row['access']),
    path: String(row['path']),
    lastCall: String(row['last_call'] ?? row['last']),
  }))
}

/** Adds the clients to each change. `before`: the text of a GraphQL schema; null for OpenAPI. */
export function withClients(
  changes: readonly Change[],
  uses: readonly Use[],
  before: string | null,
): readonly Change[] {
  const schema = before === null ? null : buildSchema(before, { assumeValid: true })
  return changes.map((change) => ({ ...change, clients: clientsOf(change.location, uses, schema) }))
}

function clientsOf(
  location: ChangeLocation,
  uses: readonly Use[],
  schema: GraphQLSchema | null,
): readonly CountedClient[] {
  const isConcerned = schema === null ? usesOperation(location) : usesType(location, schema)
  const concerned = uses
    .filter(isConcerned)
    .map(({ client, operation, path, lastCall }) => ({ client, operation, path, lastCall }))
    .toSorted((a, b) => (a.lastCall < b.lastCall ? 1 : a.lastCall > b.lastCall ? -1 : 0))
  return [
    ...new Map(concerned.map((each) => [JSON.stringify([each.client, each.operation, each.path]), each])).values(),
  ]
}

const isAccess = ({ access }: ChangeLocation, use: Use): boolean =>
  access === 'any' || (access === 'read' ? use.access === 'read' : use.access === 'create' || use.access === 'update')

/** The general operations of items, by method and whether the path ends with a key. */
const itemOperations: { readonly [called: string]: readonly string[] } = {
  'GET list': ['readItems'],
  'SEARCH list': ['readItems'],
  'POST list': ['createItems'],
  'PATCH list': ['updateItems'],
  'DELETE list': ['deleteItems'],
  'GET one': ['readItem'],
  'PATCH one': ['updateItem'],
  'DELETE one': ['deleteItem'],
}

/** The items of `/items/articles` are those of the general operation whose paths begin with `articles`. */
function usesOperation(location: ChangeLocation): (use: Use) => boolean {
  const [, method = '', collection, key] = /^(\w+) .*\/items\/([^/{]+)(\/\{\w+\})?$/.exec(location.called ?? '') ?? []
  const operations =
    collection === undefined
      ? [location.operation ?? '']
      : (itemOperations[`${method} ${key === undefined ? 'list' : 'one'}`] ?? [])
  const generation = (location.called ?? '').includes('{project}') ? 'legacy' : 'current'
  const fields = fieldsOf(location.path ?? '')
  return (use) => {
    if (!operations.includes(use.operation) || use.generation !== generation || !isAccess(location, use)) return false
    const [root = '', ...names] = use.path.split('.')
    if (collection !== undefined && root !== collection) return false
    if (fields.length === 0) return names.length === 0 && (collection !== undefined || use.access === 'call')
    return isBelow(names, fields)
  }
}

/** Names of fields in the path of a property, without what surrounds an item. */
const fieldsOf = (path: string): readonly string[] =>
  path
    .replaceAll('[]', '')
    .split('.')
    .filter((each, at) => each !== '' && !(at <= 1 && each === 'data'))

/** Whether a client that uses `names` notices a change of `fields`. */
function isBelow(names: readonly string[], fields: readonly string[]): boolean {
  const depth = names.indexOf('*')
  if (depth >= 0) return depth < fields.length && names.slice(0, depth).every((each, at) => each === fields[at])
  return fields.every((each, at) => names[at] === each)
}

/** Follows the path of a use through the types, and compares each step. */
function usesType({ path }: ChangeLocation, schema: GraphQLSchema): (use: Use) => boolean {
  const [named = '', field] = (path ?? '').split('.')
  const [, collection, isInput] = /^(?:create_|update_)?(\w+?)(_input)?$/.exec(named) ?? []
  const type = schema.getType(named)
  if (isEnumType(type) && field !== undefined) return usesEnum(type, field, schema)
  return (use) => {
    if (!/graphql/i.test(use.operation) || use.access === 'call') return false
    if (named === schema.getQueryType()?.name) return use.access === 'read' && isOfRoot(use, field)
    if (named === schema.getMutationType()?.name) return use.access !== 'read' && isOfRoot(use, field)
    if (isInput !== undefined && use.access === 'read') return false
    return stepsOf(use.path, schema).some(
      ([type, name]) =>
        type === (isInput === undefined ? named : collection) && (field === undefined || name === field),
    )
  }
}

/**
 * Whom a value of an enum concerns. One that is removed: those that write a field of it, and those that use a field with an
 * argument of which it is the default. A new one: those that read a field of it. Other arguments are not counted.
 */
function usesEnum(type: GraphQLEnumType, value: string, schema: GraphQLSchema): (use: Use) => boolean {
  const isNew = type.getValue(value) == null
  const places = Object.values(schema.getTypeMap()).flatMap((owner) =>
    isNew ? answersWith(owner, type) : takersOf(owner, type, value),
  )
  const concerned = places.map((path) => usesType({ operation: null, called: null, path, access: 'any' }, schema))
  return (use) => (!isNew || use.access === 'read') && concerned.some((isConcerned) => isConcerned(use))
}

/** Paths of the fields whose answers have the enum. */
const answersWith = (owner: GraphQLNamedType, type: GraphQLEnumType): readonly string[] =>
  !isObjectType(owner) && !isInterfaceType(owner)
    ? []
    : Object.values(owner.getFields())
        .filter((field) => getNamedType(field.type) === type)
        .map(({ name }) => `${owner.name}.${name}`)

/** Paths of the input fields of the enum, and of the fields with an argument that is the value by default. */
function takersOf(owner: GraphQLNamedType, type: GraphQLEnumType, value: string): readonly string[] {
  if (isInputObjectType(owner))
    return Object.values(owner.getFields())
      .filter((field) => getNamedType(field.type) === type)
      .map(({ name }) => `${owner.name}.${name}`)
  if (!isObjectType(owner) && !isInterfaceType(owner)) return []
  return Object.values(owner.getFields())
    .filter(({ args }) =>
      args.some((each) => getNamedType(each.type) === type && defaultOf(each).includes(JSON.stringify(value))),
    )
    .map(({ name }) => `${owner.name}.${name}`)
}

const isOfRoot = ({ path }: Use, field: string | undefined): boolean => field === undefined || rootOf(field) === path

/** The collection of a field of Query or Mutation. */
const rootOf = (field: string): string =>
  field.replace(/^(create|update|delete)_/, '').replace(/_(by_id|aggregated|by_version|items?|batch)$/, '')

function stepsOf(path: string, schema: GraphQLSchema): readonly (readonly [type: string, field: string])[] {
  const [root = '', ...names] = path.split('.')
  const steps: (readonly [string, string])[] = []
  let type = root
  for (const name of names) {
    steps.push([type, name])
    const present = schema.getType(type)
    if (!isObjectType(present) && !isInterfaceType(present)) break
    const field = present.getFields()[name]
    if (field === undefined) break
    type = getNamedType(field.type).name
  }
  return steps.slice(-1)
}
