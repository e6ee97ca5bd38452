/** One field of several items at once. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material'
import { useState } from 'react'
import { Form, useTranslate } from 'react-admin'
import { useWatch } from 'react-hook-form'
import type { Row } from '../../client.ts'
import { FieldInput } from '../../inputs/field-input.tsx'
import { kindOf } from '../../inputs/kinds.ts'
import { isWritable } from '../../inputs/writable.ts'
import type { Collection, Model } from '../../model/model.ts'
import { toFieldLabel } from '../../model/texts.ts'
import { useChangeChosen } from './change-chosen.ts'

type Props = { readonly model: Model; readonly collection: Collection; readonly onClose: () => void }

const alone = new Set(['many', 'translations', 'group', 'notice', 'divider', 'none'])

export const BulkEdit = ({ model, collection, onClose }: Props) => {
  const translate = useTranslate()
  const { change, count, isPending } = useChangeChosen()
  const [problem, setProblem] = useState<string | null>(null)
  const fields = collection.fields.filter(
    (field) =>
      !alone.has(kindOf(model, field)) && !field.schema?.is_primary_key && isWritable(collection, field, 'update'),
  )
  const [name, setName] = useState(fields[0]?.field ?? '')
  const field = fields.find((each) => each.field === name)
  const choose = (next: string): void => {
    setProblem(null)
    setName(next)
  }
  // What was entered stays where it is refused.
  const submit = async (values: Row): Promise<void> => {
    setProblem(null)
    const refused = await change({ [name]: values[name] ?? null })
    if (refused === null) onClose()
    else setProblem(refused)
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-title">
      <Form onSubmit={submit as never} key={name}>
        <DialogTitle id="bulk-title">{translate('app.bulk.title', { smart_count: count })}</DialogTitle>
        <DialogContent>
          <TextField
            select
            label={translate('app.bulk.field')}
            value={name}
            onChange={({ target }) => choose(target.value)}
          >
            {fields.map((each) => (
              <MenuItem key={each.field} value={each.field}>
                {toFieldLabel(each)}
              </MenuItem>
            ))}
          </TextField>
          {field !== undefined && <FieldInput model={model} collection={collection} field={field} action="update" />}
          {problem === null ? (
            <Emptied field={name} count={count} />
          ) : (
            <Alert severity="error" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {problem}
            </Alert>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={field === undefined || isPending}>
            {translate('ra.action.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

type EmptiedProps = { readonly field: string; readonly count: number }

/** The dialog begins without a value, which is one that can be saved. */
const Emptied = ({ field, count }: EmptiedProps) => {
  const translate = useTranslate()
  const value: unknown = useWatch({ name: field })
  const isEmpty = value === undefined || value === null || value === ''
  return isEmpty && <Alert severity="warning">{translate('app.bulk.emptied', { smart_count: count })}</Alert>
}
