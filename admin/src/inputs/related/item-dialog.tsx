/** The form of a related item, in a dialog. What it collects is saved with the item of the page. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { useContext, useId } from 'react'
import { Form, RecordContextProvider, useGetOne, useTranslate } from 'react-admin'
import { isRelated, toChanges, toNew } from '../../api/changes.ts'
import type { Row } from '../../client.ts'
import type { Collection, Model } from '../../model/model.ts'
import { toResource } from '../../model/names.ts'
import { toLabel } from '../../model/texts.ts'
import { NestedForm } from '../nested.ts'
import type { Writing } from '../writable.ts'

type Props = {
  readonly model: Model
  readonly collection: Collection
  readonly action: Writing
  readonly id?: string | undefined
  /** What is known of the item, with changes that are not saved yet. */
  readonly initial?: Row
  /** The field that leads back to the item of the page. */
  readonly hidden: string | null
  readonly onClose: () => void
  readonly onSubmit: (values: Row) => void
}

export const ItemDialog = ({ model, collection, action, id, initial, hidden, onClose, onSubmit }: Props) => {
  const translate = useTranslate()
  // Dialogs of items within items are open at once.
  const titleId = useId()
  const Fields = useContext(NestedForm)
  const { data, isPending } = useGetOne(toResource(collection.name), { id: id ?? '' }, { enabled: id !== undefined })
  const record =
    id === undefined ? (initial ?? {}) : data === undefined ? undefined : { ...data, ...known(initial), id: data.id }
  const submit = (values: Row): void =>
    onSubmit(action === 'create' ? toNew(values) : toChanges(values, data as Row | undefined))
  const title = translate(action === 'create' ? 'app.related.create' : 'app.related.edit', {
    name: toLabel(collection),
  })
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={titleId}>
      <RecordContextProvider value={id === undefined ? undefined : data}>
        {(id === undefined || !isPending) && record !== undefined && (
          <Form record={record} onSubmit={submit as never}>
            <DialogTitle id={titleId}>{title}</DialogTitle>
            <DialogContent>
              {Fields !== null && (
                <Fields
                  model={model}
                  collection={{ ...collection, fields: collection.fields.filter(({ field }) => field !== hidden) }}
                  action={action}
                />
              )}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
              <Button
                type="submit"
                variant="contained"
                // The form of the page around the dialog is another one.
                onClick={(event) => event.stopPropagation()}
              >
                {translate('app.related.done')}
              </Button>
            </DialogActions>
          </Form>
        )}
      </RecordContextProvider>
    </Dialog>
  )
}

/** Related items that were read to be named are not values of the form. */
const known = (initial: Row | undefined): Row =>
  Object.fromEntries(
    Object.entries(initial ?? {}).filter(
      ([, value]) => typeof value !== 'object' || value === null || Array.isArray(value) || isRelated(value),
    ),
  )
