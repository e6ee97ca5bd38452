import { afterAll, expect, test } from 'vitest'
import { writeItems } from '../items/items.ts'
import { changesOf, failuresOf } from '../testing/test-context.ts'
import { openTestModel, tableOf } from '../testing/test-model.ts'
import { createCollections } from './collections.ts'
import { createFields, deleteFields } from './fields.ts'

const model = await openTestModel()
afterAll(() => model.close())

test.each(['integer', 'string', 'timestamp', 'json'])(
  'a required %s without a default is not added to rows, which have no value for it',
  async (type) => {
    const name = `rows_of_${type}`
    await model.change((inner) => createCollections(inner, [tableOf(name)]))
    const required = (field: string, column: object = {}) => [
      { name: field, type, column: { nullable: false, ...column } },
    ]
    await model.change((inner) => createFields(inner, name, required('before')))
    await model.change((inner) => deleteFields(inner, name, ['before']))
    await writeItems(model.ctx(), { kind: 'create', collection: name, items: [changesOf({})] })
    const work = model.change((inner) => createFields(inner, name, required('after')))
    expect(await failuresOf(work)).toEqual([{ kind: 'contains-null-values', collection: name, field: 'after' }])
    expect(await model.rowsOf(`select * from ${name}`)).toEqual([{ id: 1 }])
    if (type !== 'string') return
    await model.change((inner) => createFields(inner, name, required('given', { defaultValue: 'x' })))
    expect(await model.rowsOf(`select * from ${name}`)).toEqual([{ id: 1, given: 'x' }])
  },
)

test('a unique field whose default is the value of two rows is refused, and leaves no column', async () => {
  const name = 'rows_of_one_default'
  await model.change((inner) => createCollections(inner, [tableOf(name)]))
  for (const _row of [1, 2]) await model.roundTrip(name, {})
  const field = () => model.ctx().schema.collections.get(name)?.fields.get('code')
  const column = { unique: true, defaultValue: 'same' }
  const work = model.change((inner) => createFields(inner, name, [{ name: 'code', type: 'string', column }]))
  expect(await failuresOf(work)).toMatchObject([{ kind: 'not-unique' }])
  await model.refresh()
  expect(field()).toBeUndefined()
  await model.change((inner) => createFields(inner, name, [{ name: 'code', type: 'string' }]))
  expect(field()).toMatchObject({ type: 'string' })
})
