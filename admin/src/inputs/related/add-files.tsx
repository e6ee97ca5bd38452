/** Uploads files, each of which is linked as soon as it is stored. */
import UploadIcon from '@mui/icons-material/UploadFileOutlined'
import { Button, LinearProgress, Stack } from '@mui/material'
import { useEffect, useRef, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../../api/errors.ts'
import { client, type Row } from '../../client.ts'

type Props = { readonly folder: string | null; readonly onStored: (file: Row) => void }

export const AddFiles = ({ folder, onStored }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const input = useRef<HTMLInputElement>(null)
  const [percent, setPercent] = useState<number | null>(null)
  // The form changes with each file: the next one is added to what is there by then.
  const stored = useRef(onStored)
  useEffect(() => {
    stored.current = onStored
  })
  const upload = async (file: File): Promise<void> => {
    setPercent(0)
    try {
      const made = await client.files.upload(file, folder === null ? {} : { folder }, {
        onProgress: ({ sent, total }) => setPercent(total ? (100 * sent) / total : 0),
      })
      if (made === undefined) notify('app.file.unreadable', { type: 'warning' })
      else stored.current(made)
    } catch (error) {
      notify(`${file.name}: ${messageOf(error)}`, { type: 'error', multiLine: true })
    }
  }
  const uploadAll = async (files: readonly File[]): Promise<void> => {
    for (const file of files) await upload(file)
    setPercent(null)
  }
  return (
    <Stack>
      <Button
        size="small"
        startIcon={<UploadIcon />}
        disabled={percent !== null}
        onClick={() => input.current?.click()}
      >
        {translate('app.files.upload')}
      </Button>
      {percent !== null && (
        <LinearProgress variant="determinate" value={percent} aria-label={translate('app.file.progress')} />
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])]
          target.value = ''
          void uploadAll(chosen)
        }}
      />
    </Stack>
  )
}
