/** A file: upload one, choose one that is there, or take it away. */
import DeleteIcon from '@mui/icons-material/CloseOutlined'
import FileIcon from '@mui/icons-material/InsertDriveFileOutlined'
import UploadIcon from '@mui/icons-material/UploadFileOutlined'
import {
  Autocomplete,
  Box,
  Button,
  FormHelperText,
  FormLabel,
  IconButton,
  LinearProgress,
  Paper,
  Stack,
  TextField,
} from '@mui/material'
import { type DragEvent, useId, useRef, useState } from 'react'
import { useGetList, useGetOne, useInput, useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../../api/errors.ts'
import { client, type Row, toServerUrl } from '../../client.ts'
import { Picture } from '../../files/picture.tsx'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

const resource = 'system/files'
const shown = { meta: { fields: ['id', 'title', 'filename_download', 'type'] } }

type Limits = {
  readonly isImage: boolean
  /** Where uploads go; null = no folder. */
  readonly folder: string | null
  /** Media types that can be chosen; empty = all. */
  readonly accept: readonly string[]
}

export const FileInput = ({ source, label, helperText, readOnly, validate, ...limits }: Common & Limits) => {
  const translate = useTranslate()
  const { field, fieldState, isRequired } = useInput({ source, validate, format: (value: unknown) => value ?? null })
  const labelId = useId()
  const error = fieldState.error?.message
  const file = typeof field.value === 'string' ? field.value : null
  return (
    <Box role="group" aria-labelledby={labelId} sx={{ my: 1 }}>
      <FormLabel id={labelId} required={isRequired} error={fieldState.invalid} sx={{ display: 'block', mb: 0.5 }}>
        {label}
      </FormLabel>
      {file === null ? (
        !readOnly && <FileChooser onChange={field.onChange} {...limits} />
      ) : (
        <ChosenFile id={file} onRemove={readOnly ? null : () => field.onChange(null)} />
      )}
      {(error !== undefined || helperText) && (
        <FormHelperText error={error !== undefined}>
          {error === undefined ? helperText : toProblem(error, translate)}
        </FormHelperText>
      )}
    </Box>
  )
}

const ChosenFile = ({ id, onRemove }: { readonly id: string; readonly onRemove: (() => void) | null }) => {
  const translate = useTranslate()
  const { data } = useGetOne(resource, { id, ...shown })
  const name = String(data?.['title'] ?? data?.['filename_download'] ?? id)
  const isPicture = String(data?.['type'] ?? '').startsWith('image/')
  return (
    <Paper variant="outlined" sx={{ p: 1 }}>
      <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center' }}>
        {isPicture ? (
          <Picture
            isSmall
            src={toServerUrl(`assets/${id}?width=160&height=120&fit=cover`)}
            alt=""
            width={80}
            height={60}
            style={{ borderRadius: 4, objectFit: 'cover' }}
          />
        ) : (
          <FileIcon />
        )}
        <Box sx={{ flex: 1, overflowWrap: 'anywhere' }}>
          <a href={toServerUrl(`assets/${id}`)} target="_blank" rel="noreferrer">
            {name}
          </a>
        </Box>
        {onRemove !== null && (
          <IconButton aria-label={translate('app.file.remove', { name })} onClick={onRemove}>
            <DeleteIcon />
          </IconButton>
        )}
      </Stack>
    </Paper>
  )
}

type ChooserProps = Limits & { readonly onChange: (id: string) => void }

const FileChooser = ({ onChange, ...limits }: ChooserProps) => {
  const translate = useTranslate()
  const notify = useNotify()
  const { isImage, folder, accept } = limits
  const input = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const upload = (contents: File | undefined): void => {
    if (contents === undefined) return
    setProgress(0)
    client.files
      .upload(contents, folder === null ? {} : { folder }, {
        onProgress: ({ sent, total }) => setProgress(total ? (100 * sent) / total : 0),
      })
      .then((made) => (made === undefined ? notify('app.file.unreadable', { type: 'warning' }) : onChange(made.id)))
      .catch((error: unknown) => notify(messageOf(error), { type: 'error' }))
      .finally(() => setProgress(null))
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    upload(event.dataTransfer.files[0])
  }
  return (
    <Paper
      variant="outlined"
      sx={{ p: 1.5, borderStyle: 'dashed' }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1.5} sx={{ alignItems: { sm: 'center' } }}>
        <Button variant="outlined" startIcon={<UploadIcon />} onClick={() => input.current?.click()}>
          {translate('app.file.upload')}
        </Button>
        <Library {...limits} onChange={onChange} />
      </Stack>
      {progress !== null && (
        <LinearProgress
          variant="determinate"
          value={progress}
          aria-label={translate('app.file.progress')}
          sx={{ mt: 1 }}
        />
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.length > 0 ? accept.join(',') : isImage ? 'image/*' : undefined}
        onChange={({ target }) => upload(target.files?.[0])}
      />
    </Paper>
  )
}

/** Files that are there, found by their names. */
const Library = ({ isImage, onChange }: ChooserProps) => {
  const translate = useTranslate()
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const filter = { q: text, ...(isImage && { and: { type: { _starts_with: 'image/' } } }) }
  const query = {
    filter,
    pagination: { page: 1, perPage: 20 },
    sort: { field: 'uploaded_on', order: 'DESC' as const },
    ...shown,
  }
  const { data = [] } = useGetList(resource, query, { enabled: isOpen })
  return (
    <Autocomplete
      sx={{ flex: 1, width: '100%' }}
      options={data as readonly Row[]}
      value={null}
      filterOptions={(options) => options}
      getOptionKey={(file) => String(file['id'])}
      getOptionLabel={(file) => String(file['title'] ?? file['filename_download'] ?? file['id'])}
      onOpen={() => setIsOpen(true)}
      onInputChange={(_, next, reason) => reason === 'input' && setText(next)}
      onChange={(_, file) => file !== null && onChange(String(file['id']))}
      noOptionsText={translate('app.file.none')}
      renderInput={(params) => <TextField {...params} margin="none" label={translate('app.file.choose')} />}
    />
  )
}
