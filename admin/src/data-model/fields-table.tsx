/** The fields of a collection, and where they lead. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import RenameIcon from '@mui/icons-material/DriveFileRenameOutlineOutlined'
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
import { useTranslate } from 'react-admin'
import type { Collection, Field, Model } from '../model/model.ts'
import { toManyOf, toOneOf } from '../model/relations.ts'
import { toFieldLabel } from '../model/texts.ts'
import { ConfirmDeletion, type Deletion } from './consequences.tsx'
import { deleteAgreed } from './edits/delete-agreed.ts'
import { junctionsOf } from './edits/junctions.ts'
import { FieldDialog } from './field-dialog.tsx'
import { RelationDialog } from './relation-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { useModelChange } from './use-model-change.ts'

type Props = { readonly model: Model; readonly collection: Collection }

export const FieldsTable = ({ model, collection }: Props) => {
  const translate = useTranslate()
  const change = useModelChange()
  const [edited, setEdited] = useState<Field | 'new' | null>(null)
  const [isRelating, setIsRelating] = useState(false)
  const [deleted, setDeleted] = useState<Field | null>(null)
  const [renamed, setRenamed] = useState<Field | null>(null)
  const remove = (agreed: Deletion): void => {
    void change(() => deleteAgreed(agreed))
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
                    <IconButton
                      size="small"
                      aria-label={translate('app.model.rename_named', { name: toFieldLabel(field) })}
                      onClick={() => setRenamed(field)}
                    >
                      <RenameIcon fontSize="small" />
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
      {renamed !== null && (
        <RenameDialog
          collection={collection.name}
          field={renamed.field}
          onClose={() => setRenamed(null)}
          onDone={() => setRenamed(null)}
        />
      )}
      {deleted !== null && (
        <ConfirmDeletion
          name={deleted.field}
          proposal={{ kind: 'delete-field', collection: collection.name, field: deleted.field }}
          hasRows={deleted.schema !== null}
          junctions={junctionsOf(model, collection, deleted.field)}
          onConfirm={remove}
          onClose={() => setDeleted(null)}
        />
      )}
    </Card>
  )
}
