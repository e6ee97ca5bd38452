/** What is done with chosen files: moved, deleted, or one of them named anew. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import MoveIcon from '@mui/icons-material/DriveFileMoveOutlined'
import RenameIcon from '@mui/icons-material/DriveFileRenameOutline'
import { Button, Paper, Typography } from '@mui/material'
import { useState } from 'react'
import { Confirm, type Identifier, useDataProvider, useNotify, useRefresh, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import type { Row } from '../client.ts'
import { toText } from '../model/to-text.ts'
import { MoveDialog, RenameDialog } from './chosen-dialogs.tsx'
import { nameOfFile } from './file-card.tsx'

type Props = { readonly files: readonly Row[]; readonly onAll: () => void; readonly onNone: () => void }

const resource = 'system/files'

export const ChosenFiles = ({ files, onAll, onNone }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const provider = useDataProvider()
  const [asked, setAsked] = useState<'move' | 'rename' | 'delete' | null>(null)
  const ids: Identifier[] = files.map(({ id }) => toText(id))
  const count = { smart_count: ids.length }
  const close = (): void => setAsked(null)
  const work = async (change: Promise<unknown>, done: string): Promise<void> => {
    close()
    try {
      await change
      notify(done, { type: 'info', messageArgs: count })
      onNone()
    } catch (error) {
      notify(messageOf(error), { type: 'error', multiLine: true })
    }
    refresh()
  }
  const update = (data: object) => provider.updateMany(resource, { ids, data })
  const [first] = files
  return (
    <Paper
      variant="outlined"
      role="toolbar"
      aria-label={translate('app.chosen.count', count)}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        alignItems: 'center',
        p: 1,
        mb: 2,
        position: 'sticky',
        top: 56,
        zIndex: 2,
      }}
    >
      <Typography role="status" sx={{ mr: 'auto', fontWeight: 600 }}>
        {translate('app.chosen.count', count)}
      </Typography>
      <Button size="small" onClick={onAll}>
        {translate('app.chosen.all')}
      </Button>
      <Button size="small" onClick={onNone}>
        {translate('app.chosen.none')}
      </Button>
      {ids.length === 1 && (
        <Button size="small" startIcon={<RenameIcon />} onClick={() => setAsked('rename')}>
          {translate('app.chosen.rename')}
        </Button>
      )}
      <Button size="small" startIcon={<MoveIcon />} onClick={() => setAsked('move')}>
        {translate('app.chosen.move')}
      </Button>
      <Button size="small" color="error" startIcon={<DeleteIcon />} onClick={() => setAsked('delete')}>
        {translate('ra.action.delete')}
      </Button>
      {asked === 'move' && (
        <MoveDialog onClose={close} onMove={(folder) => void work(update({ folder }), 'app.chosen.moved')} />
      )}
      {asked === 'rename' && first !== undefined && (
        <RenameDialog
          title={toText(first['title'] ?? first['filename_download'])}
          onClose={close}
          onRename={(title) => void work(update({ title }), 'ra.notification.updated')}
        />
      )}
      <Confirm
        isOpen={asked === 'delete'}
        title={translate('app.chosen.delete', count)}
        content={files.map(nameOfFile).slice(0, 20).join(', ')}
        onConfirm={() => void work(provider.deleteMany(resource, { ids }), 'ra.notification.deleted')}
        onClose={close}
      />
    </Paper>
  )
}
