/** What is done with several chosen items. */
import ArchiveIcon from '@mui/icons-material/ArchiveOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import { Button } from '@mui/material'
import { useState } from 'react'
import { BulkDeleteButton, useListContext, useNotify, useTranslate } from 'react-admin'
import { later } from '../../lazy.tsx'
import { type Collection, hasFieldRight, hasRight, type Model } from '../../model/model.ts'
import { toLabel } from '../../model/texts.ts'
import { valueOf } from './archive.tsx'
import { useChangeChosen } from './change-chosen.ts'

const BulkEdit = later(() => import('./bulk-edit.tsx'), 'BulkEdit')

type Props = { readonly model: Model; readonly collection: Collection }

export const BulkActions = ({ model, collection }: Props) => (
  <>
    {hasRight(collection, 'update') && <BulkEditButton model={model} collection={collection} />}
    <ArchiveButton collection={collection} />
    {hasRight(collection, 'delete') && <DeleteChosen collection={collection} />}
  </>
)

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

const DeleteChosen = ({ collection }: { readonly collection: Collection }) => {
  const translate = useTranslate()
  const { selectedIds } = useListContext()
  const values = { name: toLabel(collection), smart_count: selectedIds.length }
  return (
    <BulkDeleteButton mutationMode="pessimistic" confirmTitle={translate('ra.message.bulk_delete_title', values)} />
  )
}

const ArchiveButton = ({ collection }: { readonly collection: Collection }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const { change, isPending } = useChangeChosen()
  const { archive_field: field, archive_value: value } = collection.meta
  if (!field || !value || !hasFieldRight(collection, 'update', field)) return null
  const archive = async (): Promise<void> => {
    const problem = await change({ [field]: valueOf(collection, field, value) })
    if (problem !== null) notify(problem, { type: 'error' })
  }
  return (
    <Button size="small" startIcon={<ArchiveIcon />} disabled={isPending} onClick={() => void archive()}>
      {translate('app.bulk.archive')}
    </Button>
  )
}
