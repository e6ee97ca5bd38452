/** Where files are dropped or chosen, with a bar for each. */
import UploadIcon from '@mui/icons-material/UploadFileOutlined'
import { Button, LinearProgress, Paper, Stack, Typography } from '@mui/material'
import { type DragEvent, useRef, useState } from 'react'
import { useNotify, useRefresh, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { sendFile } from './send-file.ts'

type Running = { readonly name: string; readonly percent: number }

export const UploadArea = ({ folder }: { readonly folder: string | null }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const input = useRef<HTMLInputElement>(null)
  const [running, setRunning] = useState<ReadonlyMap<number, Running>>(new Map())
  const [isOver, setIsOver] = useState(false)
  const upload = async (file: File, key: number): Promise<void> => {
    const show = (percent: number): void => setRunning((all) => new Map([...all, [key, { name: file.name, percent }]]))
    show(0)
    try {
      await sendFile(file, folder, show)
    } catch (error) {
      notify(`${file.name}: ${messageOf(error)}`, { type: 'error', multiLine: true })
    }
    setRunning((all) => new Map([...all].filter(([each]) => each !== key)))
  }
  /** One after another, so that many files do not fill the line. */
  const uploadAll = async (files: FileList | null): Promise<void> => {
    const first = Date.now()
    for (const [at, file] of [...(files ?? [])].entries()) await upload(file, first + at)
    refresh()
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    void uploadAll(event.dataTransfer.files)
  }
  return (
    <Paper
      variant="outlined"
      sx={{ p: 2, mb: 2, borderStyle: 'dashed', ...(isOver && { borderColor: 'primary.main' }) }}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Stack direction="row" spacing={2} sx={{ alignItems: 'center' }}>
        <Button variant="contained" startIcon={<UploadIcon />} onClick={() => input.current?.click()}>
          {translate('app.files.upload')}
        </Button>
        <Typography variant="body2">{translate('app.files.drop')}</Typography>
      </Stack>
      {[...running].map(([key, { name, percent }]) => (
        <Stack key={key} sx={{ mt: 1 }}>
          <Typography variant="body2" noWrap>
            {name}
          </Typography>
          <LinearProgress variant="determinate" value={percent} aria-label={name} />
        </Stack>
      ))}
      <input ref={input} type="file" multiple hidden onChange={({ target }) => void uploadAll(target.files)} />
    </Paper>
  )
}
