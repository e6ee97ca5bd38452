/** The files: folders, search, upload with progress, pictures by the asset API. */
import FolderIcon from '@mui/icons-material/FolderOutlined'
import { Box, Breadcrumbs, Button, Pagination, Stack, TextField, Link as TextLink, Typography } from '@mui/material'
import { useState } from 'react'
import { Title, useGetList, useGetOne, usePermissions, useTranslate } from 'react-admin'
import { Link, useSearchParams } from 'react-router'
import type { Row } from '../client.ts'
import { hasRight, type Model, ofResource } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { ChosenFiles } from './chosen-files.tsx'
import { FileCard } from './file-card.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { UploadArea } from './upload.tsx'

const perPage = 60

export const Library = () => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  const ofFolders = model && ofResource(model, 'system/folders')
  const [params, setParams] = useSearchParams()
  const folder = params.get('folder')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [isNaming, setIsNaming] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
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
  const { data: folders = [] } = useGetList(
    'system/folders',
    {
      filter: { and: { parent: place } },
      pagination: { page: 1, perPage: 200 },
      sort: { field: 'name', order: 'ASC' },
    },
    { enabled: ofFolders !== undefined && hasRight(ofFolders, 'read') },
  )
  const toggle = (id: string): void =>
    setChosen((all) => (all.has(id) ? new Set([...all].filter((each) => each !== id)) : new Set([...all, id])))
  const open = (id: string): void => {
    setPage(1)
    setChosen(new Set())
    setParams({ folder: id })
  }
  return (
    <Box sx={{ py: 2 }} onKeyDown={({ key }) => key === 'Escape' && setChosen(new Set())}>
      <Title title="app.menu.files" />
      <FolderPath folder={folder} />
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ my: 1, alignItems: { sm: 'center' } }}>
        <TextField
          label={translate('ra.action.search')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          sx={{ maxWidth: { sm: '20rem' } }}
        />
        {ofFolders !== undefined && hasRight(ofFolders, 'create') && (
          <Button variant="outlined" onClick={() => setIsNaming(true)}>
            {translate('app.files.new_folder')}
          </Button>
        )}
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
      {chosen.size > 0 && (
        <ChosenFiles
          files={(files as readonly Row[]).filter(({ id }) => chosen.has(toText(id)))}
          onAll={() => setChosen(new Set(files.map(({ id }) => String(id))))}
          onNone={() => setChosen(new Set())}
        />
      )}
      {!isPending && files.length === 0 && (
        <Typography sx={{ py: 3, textAlign: 'center' }}>{translate('app.files.none')}</Typography>
      )}
      <Box component="ul" sx={grid}>
        {(files as readonly Row[]).map((file) => (
          <FileCard
            key={toText(file['id'])}
            file={file}
            isChosen={chosen.has(toText(file['id']))}
            onChoose={() => toggle(toText(file['id']))}
          />
        ))}
      </Box>
      {total > perPage && (
        <Pagination
          sx={{ mt: 2 }}
          count={Math.ceil(total / perPage)}
          page={page}
          onChange={(_, next) => {
            setPage(next)
            setChosen(new Set())
          }}
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
