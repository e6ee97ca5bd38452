/** Somebody else has saved the item in between: what both changed, and which of it shall stay. */
import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { type Identifier, useDataProvider, useNotify, useRefresh, useTranslate } from 'react-admin'
import { toChanges } from '../api/changes.ts'
import { messageOf } from '../api/errors.ts'
import type { Row } from '../client.ts'
import { ComparedValues } from '../panels/compared-values.tsx'
import { Value } from '../panels/value.tsx'
import type { Here } from './use-collection.ts'

export type PendingSave = { readonly id: Identifier; readonly data: Row; readonly previousData: Row }

type Props = Here & { readonly pending: PendingSave; readonly onClose: () => void; readonly onSaved: () => void }

export const Conflict = ({ collection, resource, pending, onClose, onSaved }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const provider = useDataProvider()
  const { id, data, previousData } = pending
  const { data: theirs } = useQuery({
    queryKey: ['conflict', resource, id],
    queryFn: async () => (await provider.getOne(resource, { id })).data as Row,
    gcTime: 0,
  })
  const mine = toChanges(data, previousData)
  const changed = collection.fields.filter(
    ({ field }) =>
      field in mine || (theirs !== undefined && JSON.stringify(theirs[field]) !== JSON.stringify(previousData[field])),
  )
  const overwrite = async (): Promise<void> => {
    try {
      await provider.update(resource, { id, data, previousData, meta: { force: true } })
      onSaved()
    } catch (error) {
      notify(messageOf(error), { type: 'error' })
    }
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="conflict-title">
      <DialogTitle id="conflict-title">{translate('app.conflict.title')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>{translate('app.conflict.text')}</DialogContentText>
        <ComparedValues
          fields={changed}
          titles={['app.conflict.theirs', 'app.conflict.mine']}
          cells={(field) => [
            theirs === undefined ? '…' : <Value key="theirs" field={field} value={theirs[field.field]} />,
            field.field in mine ? (
              <Value key="mine" field={field} value={mine[field.field]} />
            ) : (
              translate('app.conflict.unchanged')
            ),
          ]}
        />
      </DialogContent>
      <DialogActions>
        <Button
          onClick={() => {
            refresh()
            onClose()
          }}
        >
          {translate('app.conflict.take_theirs')}
        </Button>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" onClick={() => void overwrite()}>
          {translate('app.conflict.overwrite')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
