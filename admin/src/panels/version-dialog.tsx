/** The form of an item whose changes are saved in a version, not in the item. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { Form, useNotify, useRecordContext, useTranslate } from 'react-admin'
import { toChanges, withoutShown } from '../api/changes.ts'
import { messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import { ItemFields } from '../content/item-fields.tsx'
import { kindOf } from '../inputs/kinds.ts'
import type { Comparison, PanelProps, Version } from './panel.ts'

type Props = Pick<PanelProps, 'model' | 'collection'> & {
  readonly version: Version
  readonly comparison: Comparison
  readonly onClose: () => void
  readonly onSaved: () => void
}

export const VersionDialog = ({ model, collection, version, comparison, onClose, onSaved }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const item = useRecordContext<Row & { readonly id: string | number }>()
  // Changes of related items are shown by the comparison; the form shows the items that are related now.
  const plain = collection.fields.filter((field) => !['many', 'translations', 'one'].includes(kindOf(model, field)))
  const saved = plain.flatMap(({ field }) => (field in comparison.current ? [[field, comparison.current[field]]] : []))
  const keys = collection.fields.flatMap(({ field, schema }) => {
    const value = comparison.current[field]
    return schema !== null && field in comparison.current && !(typeof value === 'object' && value !== null)
      ? [[field, value]]
      : []
  })
  const record: Row = { ...item, ...Object.fromEntries([...keys, ...saved]) }
  const submit = async (values: Row): Promise<void> => {
    try {
      const changes = toChanges(values, record)
      if (Object.keys(changes).length > 0) await client.versions.save(version.id, withoutShown(changes))
      onSaved()
    } catch (error) {
      notify(messageOf(error), { type: 'error', multiLine: true })
    }
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="version-title">
      <Form record={record} onSubmit={submit as never}>
        <DialogTitle id="version-title" sx={{ overflowWrap: 'anywhere' }}>
          {translate('app.versions.edit_named', { name: version.name ?? version.key })}
        </DialogTitle>
        <DialogContent>
          <ItemFields model={model} collection={collection} action="update" />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.versions.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
