/** One collection: its settings, its fields, and where they lead. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import {
  Box,
  Button,
  Card,
  CardContent,
  IconButton,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { useState } from 'react'
import { Title, usePermissions, useTranslate } from 'react-admin'
import { useNavigate, useParams } from 'react-router'
import { client } from '../client.ts'
import { type Collection, type Field, type Model } from '../model/model.ts'
import { fromSegment } from '../model/names.ts'
import { toManyOf, toOneOf } from '../model/relations.ts'
import { toFieldLabel, toLabel } from '../model/texts.ts'
import { CollectionSettings } from './collection-settings.tsx'
import { ConfirmDeletion, type Thought } from './consequences.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { junctionsOf } from './junctions.ts'
import { RelationDialog } from './relation-dialog.tsx'
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
  const remove = (agreed: Thought): void => {
    setIsDeleting(false)
    void change(() => deleteThought(agreed)).then((isDone) => {
      if (isDone) void navigate('/model')
    })
  }
  return (
    <Box sx={{ py: 2 }}>
      <Title title={toLabel(collection)} />
      <CollectionSettings collection={collection} />
      {!collection.isFolder && <Fields model={model} collection={collection} />}
      <Button color="error" startIcon={<DeleteIcon />} onClick={() => setIsDeleting(true)} sx={{ mt: 2 }}>
        {translate('app.model.delete_collection')}
      </Button>
      {isDeleting && (
        <ConfirmDeletion
          name={toLabel(collection)}
          thought={{ kind: 'delete-collections', collections: [collection.name] }}
          hasRows={!collection.isFolder}
          junctions={junctionsOf(model, collection)}
          onConfirm={remove}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Box>
  )
}

const deleteThought = (thought: Thought): Promise<unknown> =>
  thought.kind === 'delete-collections'
    ? client.collections.deleteMany([...thought.collections])
    : client.fields.delete(thought.collection, thought.field)

const Fields = ({ model, collection }: Props) => {
  const translate = useTranslate()
  const change = useModelChange()
  const [edited, setEdited] = useState<Field | 'new' | null>(null)
  const [isRelating, setIsRelating] = useState(false)
  const [deleted, setDeleted] = useState<Field | null>(null)
  const remove = (agreed: Thought): void => {
    void change(() => deleteThought(agreed))
    setDeleted(null)
  }
  return (
    <Card sx={{ mt: 2 }}>
      <CardContent>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'space-between' }}>
          <Typography component="h2" variant="h6">
            {translate('app.model.fields')}
          </Typography>
          <Box sx={{ display: 'flex', gap: 1 }}>
            <Button variant="outlined" onClick={() => setIsRelating(true)}>
              {translate('app.model.create_relation')}
            </Button>
            <Button variant="contained" onClick={() => setEdited('new')}>
              {translate('app.model.create_field')}
            </Button>
          </Box>
        </Box>
        <Box sx={{ overflowX: 'auto' }} role="region" tabIndex={0} aria-label={translate('app.model.fields')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{translate('app.model.name')}</TableCell>
                <TableCell>{translate('app.model.type')}</TableCell>
                <TableCell>{translate('app.model.interface')}</TableCell>
                <TableCell>{translate('app.model.leads_to')}</TableCell>
                <TableCell>{translate('app.model.actions')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {collection.fields.map((field) => (
                <TableRow key={field.field}>
                  <TableCell component="th" scope="row">
                    {field.field}
                  </TableCell>
                  <TableCell>{field.type}</TableCell>
                  <TableCell>{field.meta?.interface ?? '–'}</TableCell>
                  <TableCell>
                    {(
                      toOneOf(model, collection.name, field.field) ??
                      toManyOf(model, collection.name, field.field)?.many
                    )?.name ?? '–'}
                  </TableCell>
                  <TableCell sx={{ whiteSpace: 'nowrap' }}>
                    <IconButton
                      size="small"
                      aria-label={translate('app.model.edit_named', { name: toFieldLabel(field) })}
                      onClick={() => setEdited(field)}
                    >
                      <EditIcon fontSize="small" />
                    </IconButton>
                    {!field.schema?.is_primary_key && (
                      <IconButton
                        size="small"
                        aria-label={translate('app.model.delete_named', { name: toFieldLabel(field) })}
                        onClick={() => setDeleted(field)}
                      >
                        <DeleteIcon fontSize="small" />
                      </IconButton>
                    )}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      </CardContent>
      {edited !== null && (
        <FieldDialog
          model={model}
          collection={collection}
          field={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      {isRelating && <RelationDialog model={model} collection={collection} onClose={() => setIsRelating(false)} />}
      {deleted !== null && (
        <ConfirmDeletion
          name={deleted.field}
          thought={{ kind: 'delete-field', collection: collection.name, field: deleted.field }}
          hasRows={deleted.schema !== null}
          junctions={junctionsOf(model, collection, deleted.field)}
          onConfirm={remove}
          onClose={() => setDeleted(null)}
        />
      )}
    </Card>
  )
}
