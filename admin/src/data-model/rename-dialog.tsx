/** Another name for a collection or a field: what that does is shown before it is done. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { Consequences } from './consequences.tsx'
import { useDialogChange } from './dialog-change.tsx'
import { addToModel } from './edits/configuration.ts'
import { type Rename, renamed } from './edits/renamed.ts'

type Props = {
  readonly collection: string
  /** Null: the collection itself. */
  readonly field: string | null
  readonly onClose: () => void
  readonly onDone: (name: string) => void
}

export const RenameDialog = ({ collection, field, onClose, onDone }: Props) => {
  const translate = useTranslate()
  const { change, problem } = useDialogChange()
  const before = field ?? collection
  const [name, setName] = useState(before)
  const [shown, setShown] = useState<Rename | null>(null)
  const to = name.trim()
  const isShown = shown?.to === to
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const rename = { collection, field, to }
    if (!isShown) return setShown(rename)
    void change(() => addToModel((all) => renamed(all, rename))).then((isDone) => {
      if (isDone) onDone(to)
    })
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="rename-title">
      <form onSubmit={submit}>
        <DialogTitle id="rename-title">{translate('app.model.rename_named', { name: before })}</DialogTitle>
        <DialogContent>
          <TextField
            required
            autoFocus
            label={translate('app.model.new_name')}
            helperText={translate('app.model.rename_hint')}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {isShown && <Consequences proposal={{ kind: 'rename', ...shown }} hasRows={false} />}
        </DialogContent>
        {problem}
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={to === '' || to === before}>
            {translate(isShown ? 'app.model.rename' : 'app.model.show_plan')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
