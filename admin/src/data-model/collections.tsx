/** The collections of the project: make, open, delete. */
import {
  Box,
  Button,
  Card,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  MenuItem,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Link as TextLink,
  Typography,
} from '@mui/material'
import { type FormEvent, useState } from 'react'
import { Title, usePermissions, useTranslate } from 'react-admin'
import { Link, useNavigate } from 'react-router'
import { client } from '../client.ts'
import type { Model } from '../model/model.ts'
import { toSegment } from '../model/names.ts'
import { toLabel } from '../model/texts.ts'
import { toText } from '../model/to-text.ts'
import { useDialogChange } from './dialog-change.tsx'

export const CollectionsPage = () => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  const [isMaking, setIsMaking] = useState(false)
  const collections = [...(model?.collections.values() ?? [])].filter(({ isSystem }) => !isSystem)
  return (
    <Box sx={{ py: 2 }}>
      <Title title="app.menu.model" />
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 1 }}>
        <Button variant="contained" onClick={() => setIsMaking(true)}>
          {translate('app.model.create_collection')}
        </Button>
      </Box>
      <Card sx={{ overflowX: 'auto' }}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{translate('app.matrix.collection')}</TableCell>
              <TableCell>{translate('app.model.fields')}</TableCell>
              <TableCell>{translate('app.model.note')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {collections.map((each) => (
              <TableRow key={each.name} hover>
                <TableCell component="th" scope="row">
                  <TextLink component={Link} to={`/model/${toSegment(each.name)}`} sx={{ fontWeight: 600 }}>
                    {toLabel(each)}
                  </TextLink>
                  <Typography
                    variant="caption"
                    component="div"
                    sx={{ color: 'text.secondary', fontFamily: 'monospace' }}
                  >
                    {each.name}
                  </Typography>
                </TableCell>
                <TableCell>{each.fields.length}</TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere' }}>{each.meta.note}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Card>
      {collections.length === 0 && <Box sx={{ p: 3, textAlign: 'center' }}>{translate('app.home.none_admin')}</Box>}
      {isMaking && <NewCollection onClose={() => setIsMaking(false)} />}
    </Box>
  )
}

const keyTypes = {
  integer: { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: {} },
  uuid: { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
  text: { field: 'id', type: 'string', schema: { is_primary_key: true }, meta: {} },
} as const

const NewCollection = ({ onClose }: { readonly onClose: () => void }) => {
  const translate = useTranslate()
  const navigate = useNavigate()
  const { change, problem } = useDialogChange()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const collection = toText(given.get('name')).trim()
    const key = keyTypes[given.get('key') as keyof typeof keyTypes]
    const body = { collection, schema: {}, meta: {}, fields: [key] }
    void change(() => client.collections.create(body as never)).then((isDone) => {
      if (isDone) void navigate(`/model/${toSegment(collection)}`)
    })
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="collection-title">
      <form onSubmit={submit}>
        <DialogTitle id="collection-title">{translate('app.model.create_collection')}</DialogTitle>
        <DialogContent>
          <TextField name="name" required autoFocus label={translate('app.model.name')} />
          <TextField name="key" select defaultValue="integer" label={translate('app.model.key')}>
            {Object.keys(keyTypes).map((each) => (
              <MenuItem key={each} value={each}>
                {translate(`app.model.key_${each}`)}
              </MenuItem>
            ))}
          </TextField>
        </DialogContent>
        {problem}
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('ra.action.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
