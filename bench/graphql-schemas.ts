/**
 * `node --expose-gc bench/graphql-schemas.ts`: CPU of the first GraphQL schema of an administrator for 10, 100 and 300
 * collections, of a later schema of a role, and the memory that the schemas of 200 different roles occupy. No database.
 */
import { readTemplate, servedSchema } from '../src/current/views/graphql-schemas.ts'
import { graphqlView } from '../src/current/views/graphql-view.ts'
import { createView } from '../src/current/views/schema-view.ts'
import { buildSchema } from '../src/domain/model/build-schema.ts'
import type { Table, TableColumn } from '../src/domain/model/table.ts'
import type { Context } from '../src/domain/ports/context.ts'
import type { FieldType } from '../src/domain/query/field-types.ts'
import { matchAll } from '../src/domain/query/filter.ts'
import type { Actor, Rule } from '../src/domain/rights/actor.ts'
import { allChanges, type Schema } from '../src/domain/schema/schema.ts'

const types: readonly FieldType[] = ['string', 'text', 'integer', 'boolean', 'timestamp', 'date', 'decimal', 'json']

const column = (name: string, type: FieldType, isKey = false): TableColumn => ({
  name,
  type,
  comment: null,
  dataType: type,
  nullable: !isKey,
  hasDefault: isKey,
  defaultValue: null,
  defaultExpression: null,
  maxLength: null,
  precision: null,
  scale: null,
  unique: isKey,
  indexed: false,
  primaryKey: isKey,
  autoIncrement: isKey,
  generated: false,
})

const nameOf = (at: number): string => `collection_${at}`

/** Nine columns each, and a relation to the collection before. */
const tableOf = (at: number): Table => ({
  name: nameOf(at),
  schema: null,
  comment: null,
  columns: [
    column('id', 'integer', true),
    ...types.map((type) => column(`a_${type}`, type)),
    column('other', 'integer'),
  ],
  keyColumns: ['id'],
  changes: allChanges,
  foreignKeys:
    at === 0
      ? []
      : [{ name: `f${at}`, column: 'other', table: nameOf(at - 1), onDelete: 'SET NULL', onUpdate: 'NO ACTION' }],
})

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

function schemaOf(count: number): Schema {
  const indices = Array.from({ length: count }, (_, at) => at)
  const metadata = {
    collections: indices.map((at) => ({ collection: nameOf(at) })),
    fields: indices.slice(1).map((at) => ({ collection: nameOf(at - 1), field: 'others', special: 'o2m' })),
    relations: indices.slice(1).map((at) => ({
      many_collection: nameOf(at),
      many_field: 'other',
      one_collection: nameOf(at - 1),
      one_field: 'others',
      junction_field: null,
    })),
  }
  return { ...buildSchema(indices.map(tableOf), metadata, silent), version: `${count}` }
}

const actorOf = (fingerprint: string, rules: readonly Rule[] | null): Actor => ({
  kind: 'user',
  user: '00000000-0000-4000-8000-000000000001',
  role: null,
  roles: [],
  access: { admin: rules === null, app: false, policies: [], rules: rules ?? [], fingerprint },
  session: null,
})

/** Reads and writes most of the collections; which, depends on the role. */
const roleOf = (role: number, count: number): Actor => {
  const rules = Array.from({ length: count }, (_, at) => at)
    .filter((at) => (at + role) % 7 !== 0)
    .flatMap((at) =>
      (['read', 'create', 'update'] as const).map(
        (action): Rule => ({
          collection: nameOf(at),
          action,
          fields: '*',
          filter: matchAll,
          validation: null,
          presets: null,
        }),
      ),
    )
  return actorOf(`role ${role}`, rules)
}

function contextOf(schema: Schema): (actor: Actor) => Context {
  const view = graphqlView(createView(schema), schema)
  return (actor) => ({ actor, schema, view }) as Context
}

/** CPU of the work, in milliseconds. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const megabytes = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

const asked: { readonly [count: number]: string } = { 100: '≤ 100 ms', 300: '≤ 150 ms' }

console.log(`Reading the specs, once after the start: ${cpuOf(readTemplate).toFixed(0)} ms\n`)
console.log('| collections | schema | asked | CPU ms |\n|---|---|---|---|')
for (const count of [10, 100, 300]) {
  const context = contextOf(schemaOf(count))
  const first = cpuOf(() => servedSchema(context(actorOf('admin', null)), 'items'))
  console.log(`| ${count} | first, administrator | ${asked[count] ?? ''} | ${first.toFixed(0)} |`)
  const later = cpuOf(() => servedSchema(context(roleOf(0, count)), 'items'))
  console.log(`| ${count} | next, a role | | ${later.toFixed(0)} |`)
}

for (const count of [10, 100, 300]) {
  const schema = schemaOf(count)
  const context = contextOf(schema)
  const before = megabytes()
  for (let role = 0; role < 200; role++) servedSchema(context(roleOf(role, count)), 'items')
  console.log(`| ${count} | memory after 200 roles | | ${(megabytes() - before).toFixed(0)} MB |`)
  // The schemas are kept as long as the data model.
  if (schema.collections.size < count) throw new Error('Expected the data model to be in use')
}
