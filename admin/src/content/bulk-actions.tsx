/** What is done with several chosen items. */
import ArchiveIcon from '@mui/icons-material/ArchiveOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import { Button } from '@mui/material'
import { useState } from 'react'
import { BulkDeleteButton, useListContext, useNotify, useRefresh, useTranslate, useUpdateMany } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { later } from '../lazy.tsx'
import { type Collection, hasFieldRight, hasRight, type Model } from '../model/model.ts'
import { valueOf } from './archive.tsx'

const BulkEdit = later(() => import('./bulk-edit.tsx'), 'BulkEdit')

type Props = { readonly model: Model; readonly collection: Collection }

export const BulkActions = ({ model, collection }: Props) => (
  <>
    {hasRight(collection, 'update') && <BulkEditButton model={model} collection={collection} />}
    <ArchiveButton collection={collection} />
    {hasRight(collection, 'delete') && <BulkDeleteButton mutationMode="pessimistic" />}
  </>
)

/** Writes the same changes into all chosen items. */
export function useChangeChosen() {
  const { resource, selectedIds, onUnselectItems } = useListContext()
  const [updateMany, { isPending }] = useUpdateMany()
  const notify = useNotify()
  const refresh = useRefresh()
  const change = async (data: object): Promise<void> => {
    try {
      await updateMany(resource, { ids: selectedIds, data }, { returnPromise: true })
      notify('ra.notification.updated', { type: 'info', messageArgs: { smart_count: selectedIds.length } })
      onUnselectItems()
      refresh()
    } catch (error) {
      notify(messageOf(error), { type: 'error' })
    }
  }
  return { change, isPending, count: selectedIds.length }
}

const BulkEditButton = ({ model, collection }: Props) => {
  const translate = useTranslate()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="small" startIcon={<EditIcon />} onClick={() => setIsOpen(true)}>
        {translate('app.bulk.edit')}
      </Button>
      {isOpen && <BulkEdit model={model} collection={collection} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const ArchiveButton = ({ collection }: { readonly collection: Collection }) => {
  const translate = useTranslate()
  const { change, isPending } = useChangeChosen()
  const { archive_field: field, archive_value: value } = collection.meta
  if (!field || !value || !hasFieldRight(collection, 'update', field)) return null
  return (
    <Button
      size="small"
      startIcon={<ArchiveIcon />}
      disabled={isPending}
      onClick={() => void change({ [field]: valueOf(collection, field, value) })}
    >
      {translate('app.bulk.archive')}
    </Button>
  )
}
