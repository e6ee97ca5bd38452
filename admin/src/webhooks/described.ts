/** How a webhook is edited. */
import { type Collection, hasRight, type Model } from '../model/model.ts'
import { toCollectionChoice } from '../model/texts.ts'

/** The collection of webhooks, where changes are chosen from those collections that can be read. */
export function withChoices(model: Model, webhooks: Collection): Collection {
  const choices = [...model.collections.values()]
    .filter((each) => !each.isFolder && hasRight(each, 'read'))
    .map((each) => ({ text: toCollectionChoice(each), value: each.name }))
  return {
    ...webhooks,
    fields: webhooks.fields.map((field) =>
      field.field === 'collections' ? { ...field, meta: { ...field.meta, options: { choices } } } : field,
    ),
  }
}
