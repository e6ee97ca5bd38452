import { describe, expect, test } from 'vitest'
import type { Collection, Column, Field } from '../../domain/schema/schema.ts'
import { postgres } from '../dialects/postgres.ts'
import { worldSchema } from '../testing/test-database.ts'
import { viewOf } from '../testing/test-query.ts'
import { createBuild } from './build.ts'
import { linkText } from './compile-link.ts'

type Type = readonly [type: Field['type'], dataType: string]

const world = await worldSchema()

function typed(name: string, field: string, [type, dataType]: Type): readonly [Collection, Field] {
  const collection = world.collections.get(name) as Collection
  const found = collection.fields.get(field) as Field
  const changed = { ...found, type, column: { ...(found.column as Column), dataType } }
  return [{ ...collection, fields: new Map(collection.fields).set(field, changed) }, changed]
}

describe('a relation without a constraint', () => {
  const asTheyAre = 'o."id" = m."author"'
  test.each<[many: Type, one: Type, condition: string]>([
    [['integer', 'integer'], ['integer', 'integer'], asTheyAre],
    [['bigInteger', 'bigint'], ['integer', 'integer'], asTheyAre],
    [['text', 'text'], ['string', 'character varying'], asTheyAre],
    [['uuid', 'uuid'], ['uuid', 'uuid'], asTheyAre],
    [['string', 'character'], ['string', 'character varying'], asTheyAre],
    [['binary', 'bytea'], ['string', 'character varying'], 'o."id" = m."author"::text'],
    [['csv', 'ARRAY'], ['text', 'text'], 'o."id" = m."author"::text'],
    [['string', 'character varying'], ['uuid', 'uuid'], 'o."id"::text = m."author"'],
    [['integer', 'integer'], ['string', 'character varying'], 'o."id" = m."author"::text'],
    [['date', 'date'], ['dateTime', 'timestamp without time zone'], 'o."id"::text = m."author"::text'],
  ])('joins %j and %j', (many, one, condition) => {
    const [articles, { relation }] = typed('articles', 'author', many)
    const [authors] = typed('authors', 'id', one)
    if (relation?.kind !== 'many-to-one') throw new Error('Expected a many-to-one')
    const build = createBuild({ schema: world, view: viewOf(), dialect: postgres })
    const text = linkText(build, { collection: articles, alias: 'm' }, { collection: authors, alias: 'o' }, relation)
    expect(text).toBe(condition)
  })
})
