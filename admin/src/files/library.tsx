/** The files: folders, search, upload with progress, pictures by the asset API. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import FolderIcon from '@mui/icons-material/FolderOutlined'
import FileIcon from '@mui/icons-material/InsertDriveFileOutlined'
import {
  Box,
  Breadcrumbs,
  Button,
  Card,
  CardActionArea,
  IconButton,
  Pagination,
  Stack,
  TextField,
  Link as TextLink,
  Typography,
} from '@mui/material'
import { useState } from 'react'
import { Confirm, Title, useDelete, useGetList, useGetOne, useNotify, useRefresh, useTranslate } from 'react-admin'
import { Link, useSearchParams } from 'react-router'
import { messageOf } from '../api/errors.ts'
import { type Row, toServerUrl } from '../client.ts'
import { firstText, toText } from '../model/to-text.ts'
import { FolderDialog } from './folder-dialog.tsx'
import { UploadArea } from './upload.tsx'

const perPage = 60

export const Library = () => {
  const translate = useTranslate()
  const [params, setParams] = useSearchParams()
  const folder = params.get('folder')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [isNaming, setIsNaming] = useState(false)
  const place = folder === null ? { _null: true } : { _eq: folder }
  const {
    data: files = [],
    total = 0,
    isPending,
  } = useGetList('system/files', {
    filter: search === '' ? { and: { folder: place } } : { q: search },
    pagination: { page, perPage },
    sort: { field: 'uploaded_on', order: 'DESC' },
    meta: { fields: ['id', 'title', 'filename_download', 'type', 'filesize'] },
  })
  const { data: folders = [] } = useGetList('system/folders', {
    filter: { and: { parent: place } },
    pagination: { page: 1, perPage: 200 },
    sort: { field: 'name', order: 'ASC' },
  })
  const open = (id: string): void => {
    setPage(1)
    setParams({ folder: id })
  }
  return (
    <Box sx={{ py: 2 }}>
      <Title title="app.menu.files" />
      <FolderPath folder={folder} />
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ my: 1, alignItems: { sm: 'center' } }}>
        <TextField
          label={translate('ra.action.search')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          sx={{ maxWidth: '20rem' }}
        />
        <Button variant="outlined" onClick={() => setIsNaming(true)}>
          {translate('app.files.new_folder')}
        </Button>
      </Stack>
      <UploadArea folder={folder} />
      {search === '' && (
        <Box component="ul" sx={{ ...grid, mb: 2 }}>
          {folders.map(({ id, name }) => (
            <li key={id}>
              <Button
                fullWidth
                variant="outlined"
                startIcon={<FolderIcon />}
                onClick={() => open(String(id))}
                sx={{ justifyContent: 'flex-start', textAlign: 'left', overflowWrap: 'anywhere' }}
              >
                {toText(name)}
              </Button>
            </li>
          ))}
        </Box>
      )}
      {!isPending && files.length === 0 && (
        <Typography sx={{ py: 3, textAlign: 'center' }}>{translate('app.files.none')}</Typography>
      )}
      <Box component="ul" sx={grid}>
        {(files as readonly Row[]).map((file) => (
          <FileCard key={toText(file['id'])} file={file} />
        ))}
      </Box>
      {total > perPage && (
        <Pagination
          sx={{ mt: 2 }}
          count={Math.ceil(total / perPage)}
          page={page}
          onChange={(_, next) => setPage(next)}
        />
      )}
      {isNaming && <FolderDialog parent={folder} onClose={() => setIsNaming(false)} />}
    </Box>
  )
}

const grid = {
  display: 'grid',
  gap: 1.5,
  gridTemplateColumns: 'repeat(auto-fill, minmax(10rem, 1fr))',
  p: 0,
  m: 0,
  listStyle: 'none',
} as const

/** A folder and those around it, as far as they are shown. */
const fields = ['id', 'name', 'parent.id', 'parent.name', 'parent.parent.id', 'parent.parent.name']

const pathOf = (folder: Row | null | undefined): readonly Row[] =>
  folder?.['name'] === undefined ? [] : [folder, ...pathOf(folder['parent'] as Row | null | undefined)]

const FolderPath = ({ folder }: { readonly folder: string | null }) => {
  const translate = useTranslate()
  const { data } = useGetOne('system/folders', { id: folder ?? '', meta: { fields } }, { enabled: folder !== null })
  const [here, ...above] = folder === null ? [] : pathOf(data ?? null)
  return (
    <Breadcrumbs aria-label={translate('app.files.place')}>
      <TextLink component={Link} to="/files">
        {translate('app.menu.files')}
      </TextLink>
      {above.toReversed().map((each) => (
        <TextLink key={toText(each['id'])} component={Link} to={`/files?folder=${toText(each['id'])}`}>
          {toText(each['name'])}
        </TextLink>
      ))}
      {here !== undefined && <span>{toText(here['name'])}</span>}
      {here !== undefined && (
        <TextLink component={Link} to={`/system/folders/${toText(here['id'])}`}>
          {translate('app.files.change_folder')}
        </TextLink>
      )}
    </Breadcrumbs>
  )
}

const FileCard = ({ file }: { readonly file: Row }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const [remove] = useDelete()
  const [isAsking, setIsAsking] = useState(false)
  const id = toText(file['id'])
  const name = firstText(file['title'], file['filename_download'], id)
  const isPicture = toText(file['type']).startsWith('image/')
  const confirm = async (): Promise<void> => {
    setIsAsking(false)
    try {
      await remove('system/files', { id, previousData: { id } }, { returnPromise: true })
      notify('ra.notification.deleted', { type: 'info', messageArgs: { smart_count: 1 } })
      refresh()
    } catch (error) {
      notify(messageOf(error), { type: 'error' })
    }
  }
  return (
    <Card component="li" sx={{ position: 'relative' }}>
      <CardActionArea component={Link} to={`/system/files/${id}`}>
        <Box sx={{ height: 120, display: 'grid', placeItems: 'center', bgcolor: 'action.hover' }}>
          {isPicture ? (
            <img
              src={toServerUrl(`assets/${id}?width=240&height=180&fit=cover`)}
              alt=""
              loading="lazy"
              style={{ width: '100%', height: 120, objectFit: 'cover' }}
            />
          ) : (
            <FileIcon fontSize="large" />
          )}
        </Box>
        <Typography variant="body2" sx={{ p: 1, pr: 5, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
      </CardActionArea>
      <IconButton
        size="small"
        aria-label={translate('app.files.delete', { name })}
        onClick={() => setIsAsking(true)}
        sx={{ position: 'absolute', bottom: 4, right: 4 }}
      >
        <DeleteIcon fontSize="small" />
      </IconButton>
      <Confirm
        isOpen={isAsking}
        title={translate('app.files.delete', { name })}
        content="ra.message.delete_content"
        onConfirm={() => void confirm()}
        onClose={() => setIsAsking(false)}
      />
    </Card>
  )
}
