/** The item of a collection that has only one. */

import { Card, CardContent } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { Form, SaveButton, Title, Toolbar, useNotify, useTranslate } from 'react-admin'
import { toChanges, withoutShown } from '../api/changes.ts'
import { forgetDraftsOf } from '../api/drafts.ts'
import { formProblems, messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import { hasRight } from '../model/model.ts'
import { toLabel } from '../model/texts.ts'
import { FormDraft } from './draft.tsx'
import { FormProblems } from './form-problems.tsx'
import { ItemFields } from './item-fields.tsx'
import { SaveKey } from './save-key.tsx'
import { type Here, useCollection } from './use-collection.ts'

export const SingletonEdit = () => {
  const here = useCollection()
  return here === null ? null : <SingletonForm key={here.resource} {...here} />
}

/** The name of the only item, whose key does not matter. */
const singleton = 'one'

const SingletonForm = ({ model, collection, resource }: Here) => {
  const translate = useTranslate()
  const notify = useNotify()
  const operation = { path: '/items/{collection}', values: { collection: collection.name } }
  const { data, refetch } = useQuery({
    queryKey: ['singleton', collection.name],
    queryFn: async () =>
      (
        await client.request<{ data: Row }>(
          { method: 'GET', path: operation.path },
          { path: operation.values, query: { fields: ['*'] } },
        )
      ).data,
  })
  const save = async (values: Row): Promise<object | undefined> => {
    try {
      await client.request(
        { method: 'PATCH', path: operation.path },
        { path: operation.values, body: withoutShown(toChanges(values, data)) },
      )
      forgetDraftsOf(resource, singleton)
      notify('app.item.saved', { type: 'info' })
      await refetch()
      return undefined
    } catch (error) {
      notify(messageOf(error), { type: 'error', multiLine: true })
      return formProblems(error)
    }
  }
  if (data === undefined) return null
  return (
    <Card sx={{ mt: 2 }}>
      <Title title={toLabel(collection)} />
      <Form record={data} onSubmit={save as never} disableInvalidFormNotification warnWhenUnsavedChanges>
        <CardContent>
          <SaveKey />
          <FormProblems />
          <FormDraft {...{ model, collection, resource }} id={singleton} />
          <ItemFields model={model} collection={collection} action="update" />
        </CardContent>
        {hasRight(collection, 'update') && (
          <Toolbar>
            <SaveButton label={translate('ra.action.save')} />
          </Toolbar>
        )}
      </Form>
    </Card>
  )
}
