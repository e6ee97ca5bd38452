/** The records of the spec and the view of the tables that hold them have the same properties, in both directions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestWorld, type TestWorld } from '../../core/testing/test-context.ts'
import type { View } from '../../domain/schema/view.ts'
import spec from '../../generated/legacy-spec.json' with { type: 'json' }
import { createView } from './schema-view.ts'

type Schema = { readonly type?: unknown; readonly properties?: { readonly [name: string]: Schema } }

const schemas = spec.components.schemas as unknown as { readonly [name: string]: Schema }

/** Schemas of records, their collections, and properties that no column holds. */
const records: readonly (readonly [schema: string, collection: string, computed: readonly string[]])[] = [
  ['ActivityEntry', 'platform_activity', []],
  ['CollectionPreset', 'platform_presets', []],
  ['Permission', 'platform_role_levels', []],
  ['RevisionEntry', 'platform_revisions', ['parent_changed', 'parent_collection', 'parent_item']],
  ['Role', 'platform_roles', []],
  ['User', 'platform_users', []],
]

/** Collections whose answers are open, as those of items are: files have what a project adds to them. */
const open: ReadonlySet<string> = new Set(['platform_files', 'platform_folders', 'platform_settings'])

let world: TestWorld
let view: View
beforeAll(async () => {
  world = await openTestWorld()
  view = createView(world.ctx.schema)
})
afterAll(() => world.close())

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

test('every system collection that is shown has a schema or is open', () => {
  const shown = [...view.collections.values()]
    .filter(({ collection }) => world.ctx.schema.collections.get(collection)?.system === true)
    .map(({ name }) => name)
  const told = [...records.map(([, collection]) => collection), ...open]
  expect(told.toSorted(byText)).toEqual(shown.toSorted(byText))
})

test.each(records)('%s has the properties of %s', (name, collection, computed) => {
  const told = Object.keys(schemas[name]?.properties ?? {})
  const shown = [...(view.collections.get(collection)?.fields.keys() ?? [])]
  expect(told.toSorted(byText)).toEqual([...shown, ...computed].toSorted(byText))
})

test.each(records)('%s has a number as its key, as %s has in this generation', (name) => {
  expect([schemas[name]?.properties?.['id']?.type].flat()).toContain('integer')
})
