/** A new item. */
import { Create, SimpleForm, useNotify, useTranslate } from 'react-admin'
import { toNew } from '../api/changes.ts'
import { messageOf } from '../api/errors.ts'
import type { Row } from '../client.ts'
import { toLabel } from '../model/texts.ts'
import { FormDraft } from './draft.tsx'
import { FormProblems } from './form-problems.tsx'
import { ItemFields } from './item-fields.tsx'
import { SaveKey } from './save-key.tsx'
import { useCollection } from './use-collection.ts'

export const ItemCreate = () => {
  const here = useCollection()
  const translate = useTranslate()
  const notify = useNotify()
  if (here === null) return null
  const { model, collection, resource } = here
  const presets = { ...defaultsOf(collection.fields), ...collection.rights.create?.presets }
  return (
    <Create
      key={resource}
      resource={resource}
      // The permissions of a policy are on its page.
      redirect={resource === 'system/policies' ? 'edit' : 'list'}
      mutationOptions={{ onError: (error) => notify(messageOf(error), { type: 'error', multiLine: true }) }}
      title={translate('app.item.create', { name: toLabel(collection) })}
      transform={(data: object) => toNew(data as Row)}
    >
      <SimpleForm disableInvalidFormNotification warnWhenUnsavedChanges defaultValues={presets}>
        <SaveKey />
        <FormProblems />
        <FormDraft {...here} id={null} />
        <ItemFields model={model} collection={collection} action="create" />
      </SimpleForm>
    </Create>
  )
}

type Defaulted = {
  readonly field: string
  readonly type: string
  readonly schema: { readonly default_value: unknown } | null
}

/** Plain defaults of columns are shown; those that the database computes are left to it. */
const defaultsOf = (fields: readonly Defaulted[]): Row =>
  Object.fromEntries(
    fields.flatMap(({ field, schema }) => {
      const value = schema?.default_value
      const isPlain =
        typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && !/[(:]/.test(value))
      return isPlain ? [[field, value]] : []
    }),
  )
