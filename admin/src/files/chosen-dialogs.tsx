/** Where chosen files go, and what one of them is called. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import type { Row } from '../client.ts'
import { toText } from '../model/to-text.ts'

type MoveProps = { readonly onClose: () => void; readonly onMove: (folder: string | null) => void }

export const MoveDialog = ({ onClose, onMove }: MoveProps) => {
  const translate = useTranslate()
  const [folder, setFolder] = useState('')
  const { data = [] } = useGetList('system/folders', {
    pagination: { page: 1, perPage: 500 },
    sort: { field: 'name', order: 'ASC' },
    meta: { fields: ['id', 'name', 'parent'] },
  })
  const places = pathsOf(data as readonly Row[])
  return (
    <Asking title={translate('app.chosen.move_to')} onClose={onClose} onSubmit={() => onMove(folder || null)}>
      <TextField
        select
        autoFocus
        label={translate('app.files.place')}
        value={folder}
        onChange={({ target }) => setFolder(target.value)}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      >
        <MenuItem value="">{translate('app.chosen.top')}</MenuItem>
        {places.map(({ id, path }) => (
          <MenuItem key={id} value={id}>
            {path}
          </MenuItem>
        ))}
      </TextField>
    </Asking>
  )
}

/** Folders with those around them: `Films › 2026`. */
function pathsOf(folders: readonly Row[]): readonly { readonly id: string; readonly path: string }[] {
  const byId = new Map(folders.map((each) => [toText(each['id']), each]))
  const pathOf = (folder: Row, depth: number): string => {
    const parent = byId.get(toText(folder['parent']))
    return parent === undefined || depth > 20
      ? toText(folder['name'])
      : `${pathOf(parent, depth + 1)} › ${toText(folder['name'])}`
  }
  return [...byId]
    .map(([id, folder]) => ({ id, path: pathOf(folder, 0) }))
    .toSorted((a, b) => a.path.localeCompare(b.path))
}

type RenameProps = { readonly title: string; readonly onClose: () => void; readonly onRename: (title: string) => void }

export const RenameDialog = ({ title: before, onClose, onRename }: RenameProps) => {
  const translate = useTranslate()
  const [title, setTitle] = useState(before)
  return (
    <Asking title={translate('app.chosen.rename')} onClose={onClose} onSubmit={() => onRename(title.trim())}>
      <TextField
        required
        autoFocus
        label={translate('app.chosen.title')}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
    </Asking>
  )
}

type AskingProps = {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
  readonly onSubmit: () => void
}

const Asking = ({ title, children, onClose, onSubmit }: AskingProps) => {
  const translate = useTranslate()
  const titleId = useId()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <form onSubmit={submit}>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent>{children}</DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('ra.action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
