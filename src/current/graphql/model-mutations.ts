/** Fields of Mutation that change the data model. */
import { collections } from '../handlers/collections.ts'
import { fields } from '../handlers/fields.ts'
import { relations } from '../handlers/relations.ts'
import { schema } from '../handlers/schema.ts'
import { answerOf, bodiesOf, bodyOf, documentOf, type MutationRuns, toInput, value } from './named.ts'

type ModelMutations = Pick<
  MutationRuns,
  | Extract<keyof MutationRuns, `${string}_${'collections' | 'fields' | 'relations'}_${'item' | 'items' | 'batch'}`>
  | 'schema_apply'
>

export const modelMutations = {
  create_collections_item: (on, { data }) =>
    answerOf(on, collections.createCollections(on.rest, toInput(on, { body: bodyOf('CollectionInput', data) }))),
  update_collections_item: async (on, { collection, data }) => {
    const body = bodyOf('CollectionChange', data)
    return answerOf(on, collections.updateCollection(on.rest, toInput(on, { path: { collection }, body })))
  },
  delete_collections_item: async (on, path) => {
    await collections.deleteCollection(on.rest, toInput(on, { path }))
    return value(path)
  },
  create_fields_item: async (on, { collection, data }) => {
    const body = bodyOf('FieldInput', data)
    return answerOf(on, fields.createFields(on.rest, toInput(on, { path: { collection }, body })))
  },
  update_fields_item: async (on, { collection, field, data }) => {
    const body = bodyOf('FieldChange', data)
    return answerOf(on, fields.updateField(on.rest, toInput(on, { path: { collection, field }, body })))
  },
  delete_fields_item: async (on, path) => {
    await fields.deleteField(on.rest, toInput(on, { path }))
    return value(path)
  },
  create_relations_item: (on, { data }) =>
    answerOf(on, relations.createRelation(on.rest, toInput(on, { body: bodyOf('RelationInput', data) }))),
  update_relations_item: async (on, { collection, field, data }) => {
    const body = bodyOf('RelationChange', data)
    return answerOf(on, relations.updateRelation(on.rest, toInput(on, { path: { collection, field }, body })))
  },
  delete_relations_item: async (on, path) => {
    await relations.deleteRelation(on.rest, toInput(on, { path }))
    return value(path)
  },
  create_collections_items: (on, { data }) =>
    answerOf(on, collections.createCollections(on.rest, toInput(on, { body: bodiesOf('CollectionInput', data) }))),
  update_collections_batch: async (on, { data }) => {
    const body = bodiesOf('NamedCollectionChange', data)
    return answerOf(on, collections.updateCollections(on.rest, toInput(on, { body })))
  },
  delete_collections_items: async (on, { collections: names }) => {
    await collections.deleteCollections(on.rest, toInput(on, { body: [...names] }))
    return value({ collections: names })
  },
  create_fields_items: async (on, { collection, data }) => {
    const body = bodiesOf('FieldInput', data)
    return answerOf(on, fields.createFields(on.rest, toInput(on, { path: { collection }, body })))
  },
  update_fields_batch: async (on, { collection, data }) => {
    const body = bodiesOf('FieldInput', data)
    return answerOf(on, fields.updateFields(on.rest, toInput(on, { path: { collection }, body })))
  },
  delete_fields_items: async (on, { collection, fields: names }) => {
    await fields.deleteFields(on.rest, toInput(on, { path: { collection }, body: [...names] }))
    return value({ collection, fields: names })
  },
  schema_apply: (on, { diff }) =>
    answerOf(on, schema.applySchema(on.rest, toInput(on, { body: bodyOf('SchemaDiff', documentOf(diff)) }))),
} satisfies ModelMutations
