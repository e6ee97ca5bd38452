/** Export of what a list shows, and import of a file. */
import TransferIcon from '@mui/icons-material/ImportExportOutlined'
import { Button, Divider, ListSubheader, Menu, MenuItem } from '@mui/material'
import { useRef, useState } from 'react'
import { useListContext, useTranslate } from 'react-admin'
import { toServerUrl } from '../../client.ts'
import { later } from '../../lazy.tsx'
import { type Collection, hasRight } from '../../model/model.ts'

const ImportDialog = later(() => import('./import-dialog.tsx'), 'ImportDialog')

const formats = ['csv', 'json', 'xml', 'yaml'] as const

type Props = { readonly collection: Collection; readonly columns: readonly string[] }

export const TransferButton = ({ collection, columns }: Props) => {
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const exportUrl = useExportUrl(collection, columns)
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  return (
    <>
      <Button
        size="small"
        startIcon={<TransferIcon />}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {translate('app.transfer.title')}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <ListSubheader aria-hidden>{translate('app.transfer.export')}</ListSubheader>
        {formats.map((format) => (
          <MenuItem key={format} component="a" href={exportUrl(format)} download onClick={() => setAnchor(null)}>
            {translate('app.transfer.as', { format: format.toUpperCase() })}
          </MenuItem>
        ))}
        {hasRight(collection, 'create') && <Divider />}
        {hasRight(collection, 'create') && (
          <MenuItem
            onClick={() => {
              setAnchor(null)
              input.current?.click()
            }}
          >
            {translate('app.transfer.import')}
          </MenuItem>
        )}
      </Menu>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.json"
        data-import=""
        onChange={({ target }) => {
          setFile(target.files?.[0] ?? null)
          target.value = ''
        }}
      />
      {file !== null && <ImportDialog collection={collection} file={file} onClose={() => setFile(null)} />}
    </>
  )
}

/** The address of all items that the list finds, with its columns. */
function useExportUrl({ name }: Collection, columns: readonly string[]) {
  const { filterValues, filter, sort } = useListContext()
  return (format: string): string => {
    const { q, where } = filterValues as { q?: string; where?: object }
    const { and } = (filter ?? {}) as { and?: object }
    const url = new URL(toServerUrl(`items/${encodeURIComponent(name)}`))
    const parts = [where, and].filter((each) => each !== undefined)
    url.searchParams.set('export', format)
    url.searchParams.set('limit', '-1')
    url.searchParams.set('fields', columns.join(','))
    url.searchParams.set('sort', `${sort.order === 'DESC' ? '-' : ''}${sort.field}`)
    if (q) url.searchParams.set('search', q)
    if (parts.length > 0) url.searchParams.set('filter', JSON.stringify({ _and: parts }))
    return url.href
  }
}
