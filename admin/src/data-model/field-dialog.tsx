/** A new field, or a changed one. */
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  MenuItem,
  Switch,
  TextField,
} from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { client, type Row } from '../client.ts'
import type { Collection, Field } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { ChoicesInput } from './choices-input.tsx'
import { Consequences } from './consequences.tsx'
import { useModelChange } from './use-model-change.ts'

const types = [
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'dateTime',
  'timestamp',
  'json',
  'csv',
  'uuid',
  'hash',
] as const

const interfaces = [
  'input',
  'input-multiline',
  'input-rich-text-md',
  'input-rich-text-html',
  'input-code',
  'input-hash',
  'boolean',
  'datetime',
  'select-dropdown',
  'select-radio',
  'select-multiple-dropdown',
  'select-color',
  'tags',
  'list',
  'select-dropdown-m2o',
  'list-o2m',
  'list-m2m',
  'list-m2a',
  'translations',
  'file',
  'file-image',
  'files',
] as const

type Props = { readonly collection: Collection; readonly field: Field | null; readonly onClose: () => void }

export const FieldDialog = ({ collection, field, onClose }: Props) => {
  const translate = useTranslate()
  const change = useModelChange()
  const [type, setType] = useState(field?.type ?? 'string')
  const [input, setInput] = useState(field?.meta?.interface ?? '')
  const [flags, setFlags] = useState({
    required: field?.meta?.required === true,
    readonly: field?.meta?.readonly === true,
    hidden: field?.meta?.hidden === true,
  })
  const [options, setOptions] = useState(JSON.stringify(field?.meta?.options ?? {}, null, 2))
  const parsed = parse(options)
  const isText = type === 'string'
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const name = field?.field ?? toText(given.get('name')).trim()
    const meta = {
      interface: input || null,
      options: parsed ?? null,
      note: toText(given.get('note')) || null,
      ...flags,
    }
    const length = Number(given.get('length'))
    const schema = isText && length > 0 ? { max_length: length } : {}
    const work = () =>
      field === null
        ? client.fields.create(collection.name, { field: name, type, meta, schema } as never)
        : client.fields.update(collection.name, name, {
            meta,
            ...(field.schema !== null && type !== field.type && { type }),
          } as never)
    void change(work).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="field-title">
      <form onSubmit={submit}>
        <DialogTitle id="field-title">
          {field === null
            ? translate('app.model.create_field')
            : translate('app.model.edit_named', { name: field.field })}
        </DialogTitle>
        <DialogContent>
          {field === null && <TextField name="name" required autoFocus label={translate('app.model.name')} />}
          {field?.schema !== null && (
            <TextField
              select
              label={translate('app.model.type')}
              value={type}
              onChange={({ target }) => setType(target.value)}
            >
              {[...new Set([...types, type])].map((each) => (
                <MenuItem key={each} value={each}>
                  {each}
                </MenuItem>
              ))}
            </TextField>
          )}
          {field !== null && type !== field.type && (
            <Consequences
              thought={{ kind: 'change-type', collection: collection.name, field: field.field, type }}
              hasRows
            />
          )}
          {field === null && isText && (
            <TextField name="length" type="number" label={translate('app.model.length')} defaultValue={255} />
          )}
          <TextField
            select
            label={translate('app.model.interface')}
            value={input}
            onChange={({ target }) => setInput(target.value)}
          >
            <MenuItem value="">{translate('app.model.by_type')}</MenuItem>
            {[...new Set([...interfaces, input])]
              .filter((each) => each !== '')
              .map((each) => (
                <MenuItem key={each} value={each}>
                  {each}
                </MenuItem>
              ))}
          </TextField>
          {withChoices.test(input) && parsed !== undefined && (
            <ChoicesInput
              choices={parsed['choices']}
              type={type}
              onChange={(choices) => setOptions(JSON.stringify({ ...parsed, choices }, null, 2))}
            />
          )}
          <TextField name="note" label={translate('app.model.note')} defaultValue={field?.meta?.note ?? ''} />
          <TextField
            multiline
            minRows={3}
            maxRows={8}
            label={translate('app.model.options')}
            value={options}
            error={parsed === undefined}
            helperText={parsed === undefined ? translate('app.json.invalid') : translate('app.model.options_hint')}
            onChange={({ target }) => setOptions(target.value)}
            slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }}
          />
          {(['required', 'readonly', 'hidden'] as const).map((name) => (
            <FormControlLabel
              key={name}
              control={
                <Switch checked={flags[name]} onChange={(_, checked) => setFlags({ ...flags, [name]: checked })} />
              }
              label={translate(`app.model.${name}`)}
            />
          ))}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={parsed === undefined}>
            {translate('ra.action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Interfaces of both generations that offer choices. */
const withChoices = /^(select-(dropdown|radio|multiple-.*)|dropdown|radio-buttons|checkboxes)$/

function parse(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined
  } catch {
    return undefined
  }
}
