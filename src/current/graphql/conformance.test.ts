/** The served schema matches the specs. */
import { makeExecutableSchema } from '@graphql-tools/schema'
import {
  buildASTSchema,
  type DefinitionNode,
  type GraphQLSchema,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { createTestContext } from '../../core/testing/test-context.ts'
import { readSdl } from '../../graphql/schema/sdl.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { servedSchema } from '../views/graphql-schemas.ts'
import { graphqlView } from '../views/graphql-view.ts'
import { createView } from '../views/schema-view.ts'

/** A table with a field of every type and every kind of relation, for the template's types. */
const exampleSql = `
create type geometry;
create function geometry_in(cstring) returns geometry language internal immutable strict as 'textin';
create function geometry_out(geometry) returns cstring language internal immutable strict as 'textout';
create type geometry (input = geometry_in, output = geometry_out, like = text);
create table example_related (id serial primary key, example integer);
create table example (
  id serial primary key, "string" varchar(50), "text" text, "boolean" boolean, "integer" integer, "bigInteger" bigint,
  "float" real, "decimal" numeric(10, 2), "dateTime" timestamp, "timestamp" timestamptz, "date" date, "time" time,
  "json" json, "csv" text, "uuid" uuid, "hash" varchar(255), "binary" bytea, "geometry" geometry, "unknown" inet,
  many_to_one integer references example_related (id), many_to_any varchar(50)
);
create table example_single (id serial primary key);
alter table example_related add foreign key (example) references example (id);
insert into platform_collections (collection, singleton) values ('example', false), ('example_related', false), ('example_single', true);
insert into platform_fields (collection, field, special) values
  ('example', 'csv', 'cast-csv'), ('example', 'hash', 'hash'), ('example', 'one_to_many', 'o2m');
insert into platform_relations
  (many_collection, many_field, one_collection, one_field, one_collection_field, one_allowed_collections) values
  ('example_related', 'example', 'example', 'one_to_many', null, null),
  ('example', 'many_to_any', null, null, 'string', 'example_related');
`

const database = await createTestDatabase({ sql: exampleSql })
afterAll(() => database.close())

const served = async (scope: 'items' | 'system'): Promise<GraphQLSchema> => {
  const schema = await database.loadSchema()
  const ctx = createTestContext(database.db, schema)
  const graphql = { authentication: 'handshake', path: '/graphql' } as const
  const server = { ...ctx.server, sockets: { rest: false, graphql, heartbeat: false } as const }
  return servedSchema({ ...ctx, server, view: graphqlView(createView(schema), schema) }, scope).schema
}

const isRoot = (name: string): boolean => ['Query', 'Mutation', 'Subscription'].includes(name)

const named = (each: DefinitionNode): string => ('name' in each && each.name !== undefined ? each.name.value : '')

/** Definitions by name, sorted and without descriptions. */
function definitionsOf(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const document = visit(parse(printSchema(lexicographicSortSchema(schema))), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  })
  return new Map(document.definitions.map((each) => [named(each), print(each)]))
}

test('the types of a collection match the template, for every field type and kind of relation', async () => {
  const expected = definitionsOf(buildASTSchema(parse(readSdl('current-items'))))
  const found = definitionsOf(await served('items'))
  const own = [...expected.keys()].filter(
    (name) => /(^|_)example(_|$)/.test(name) && !name.includes('related') && !isRoot(name),
  )
  expect(own.length).toBeGreaterThan(10)
  for (const name of own) expect(found.get(name), name).toBe(expected.get(name))
  const shared = [...found.keys()].filter((name) => expected.has(name) && !name.includes('example') && !isRoot(name))
  for (const name of shared) expect(found.get(name), name).toBe(expected.get(name))
  const roots = found.get('Query') ?? ''
  for (const name of ['example', 'example_by_id', 'example_aggregated', 'example_by_version', 'example_single'])
    expect(roots).toMatch(new RegExp(`^  ${name}[(:]`, 'm'))
  expect(found.get('Mutation')?.match(/^ {2}\w*example_(items?|batch)\b/gm)).toHaveLength(8)
})

test('the system schema matches its spec', async () => {
  const items = parse(readSdl('current-items')).definitions.filter(
    (each) => !isRoot(named(each)) && !named(each).includes('example'),
  )
  const typeDefs = [
    { kind: Kind.DOCUMENT as const, definitions: items },
    readSdl('current-system'),
    readSdl('current-records'),
  ]
  const spec = makeExecutableSchema({ typeDefs })
  const expected = definitionsOf(spec)
  const found = definitionsOf(await served('system'))
  const shared = new Set(items.map(named))
  expect([...expected.keys()].filter((name) => !found.has(name) && !shared.has(name))).toEqual([])
  expect([...found.keys()].filter((name) => !expected.has(name))).toEqual([])
  for (const [name, text] of found) expect(text, name).toBe(expected.get(name))
})

test('every definition in the specs has a description', () => {
  const missing: string[] = []
  for (const text of [readSdl('current-items'), readSdl('current-system'), readSdl('current-records')]) {
    visit(parse(text), {
      enter(node) {
        const isOperationType = node.kind === Kind.OBJECT_TYPE_DEFINITION && isRoot(node.name.value)
        const isDescribed = node.kind.endsWith('Definition') && !isOperationType
        if (isDescribed && 'description' in node && node.description === undefined && 'name' in node && node.name)
          missing.push(node.name.value)
      },
    })
  }
  expect(missing).toEqual([])
})
