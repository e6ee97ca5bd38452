/** One collection: its settings, its fields, and where they lead. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import RenameIcon from '@mui/icons-material/DriveFileRenameOutlineOutlined'
import { Box, Button } from '@mui/material'
import { useState } from 'react'
import { Title, usePermissions, useTranslate } from 'react-admin'
import { useNavigate, useParams } from 'react-router'
import type { Collection, Model } from '../model/model.ts'
import { fromSegment, toSegment } from '../model/names.ts'
import { toLabel } from '../model/texts.ts'
import { CollectionSettings } from './collection-settings.tsx'
import { ConfirmDeletion, type Deletion } from './consequences.tsx'
import { deleteAgreed } from './edits/delete-agreed.ts'
import { junctionsOf } from './edits/junctions.ts'
import { FieldsTable } from './fields-table.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { useModelChange } from './use-model-change.ts'

export const CollectionPage = () => {
  const { permissions: model } = usePermissions<Model>()
  const { collection: segment = '' } = useParams()
  const collection = model?.collections.get(fromSegment(segment))
  if (model === undefined || collection === undefined) return null
  return <Page key={collection.name} model={model} collection={collection} />
}

type Props = { readonly model: Model; readonly collection: Collection }

const Page = ({ model, collection }: Props) => {
  const translate = useTranslate()
  const navigate = useNavigate()
  const change = useModelChange()
  const [isDeleting, setIsDeleting] = useState(false)
  const [isRenaming, setIsRenaming] = useState(false)
  const remove = (agreed: Deletion): void => {
    setIsDeleting(false)
    void change(() => deleteAgreed(agreed)).then((isDone) => {
      if (isDone) void navigate('/model')
    })
  }
  return (
    <Box sx={{ py: 2 }}>
      <Title title={toLabel(collection)} />
      <CollectionSettings collection={collection} />
      {!collection.isFolder && <FieldsTable model={model} collection={collection} />}
      <Button startIcon={<RenameIcon />} onClick={() => setIsRenaming(true)} sx={{ mt: 2, mr: 1 }}>
        {translate('app.model.rename_collection')}
      </Button>
      <Button color="error" startIcon={<DeleteIcon />} onClick={() => setIsDeleting(true)} sx={{ mt: 2 }}>
        {translate('app.model.delete_collection')}
      </Button>
      {isRenaming && (
        <RenameDialog
          collection={collection.name}
          field={null}
          onClose={() => setIsRenaming(false)}
          onDone={(name) => void navigate(`/model/${toSegment(name)}`)}
        />
      )}
      {isDeleting && (
        <ConfirmDeletion
          name={toLabel(collection)}
          proposal={{ kind: 'delete-collections', collections: [collection.name] }}
          hasRows={!collection.isFolder}
          junctions={junctionsOf(model, collection)}
          onConfirm={remove}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Box>
  )
}
