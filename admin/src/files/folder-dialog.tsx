import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material'
import type { FormEvent } from 'react'
import { useNotify, useRefresh, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toText } from '../model/to-text.ts'

/** Names a new folder. */
export const FolderDialog = ({ parent, onClose }: { readonly parent: string | null; readonly onClose: () => void }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const name = toText(new FormData(event.currentTarget).get('name')).trim()
    client.folders.create({ name, parent }).then(
      () => {
        refresh()
        onClose()
      },
      (error: unknown) => notify(messageOf(error), { type: 'error' }),
    )
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="folder-title">
      <form onSubmit={submit}>
        <DialogTitle id="folder-title">{translate('app.files.new_folder')}</DialogTitle>
        <DialogContent>
          <TextField name="name" required autoFocus label={translate('app.files.folder_name')} />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('ra.action.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
