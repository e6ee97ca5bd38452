/** A new field, or a changed one. */
import {
  Box,
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
import { interfaceNames, wishedKind } from '../inputs/kinds.ts'
import { displayByKind, optionsByKind } from '../inputs/options.ts'
import type { Collection, Field, Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { ChoicesInput } from './choices-input.tsx'
import { Consequences } from './consequences.tsx'
import { useDialogChange } from './dialog-change.tsx'
import { ConditionsInput, type Validation, ValidationInput } from './field-rules.tsx'
import { OptionsForm } from './options-form.tsx'
import {
  DefaultInput,
  FilledInInput,
  filledInOf,
  hasDefaultInput,
  specialOf,
  toDefault,
} from './values-without-input.tsx'

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

type Props = {
  readonly model: Model
  readonly collection: Collection
  readonly field: Field | null
  readonly onClose: () => void
}

export const FieldDialog = ({ model, collection, field, onClose }: Props) => {
  const translate = useTranslate()
  const { change, problem } = useDialogChange()
  const [type, setType] = useState(field?.type ?? 'string')
  const [input, setInput] = useState(field?.meta?.interface ?? '')
  const [filledIn, setFilledIn] = useState(filledInOf(field))
  const storedDefault = toText(field?.schema?.default_value)
  const [defaultText, setDefaultText] = useState(storedDefault)
  const [flags, setFlags] = useState({
    required: field?.meta?.required === true,
    readonly: field?.meta?.readonly === true,
    hidden: field?.meta?.hidden === true,
  })
  const [options, setOptions] = useState<Row | undefined>(field?.meta?.options ?? {})
  const [display, setDisplay] = useState<Row | undefined>(field?.meta?.display_options ?? {})
  const kind = wishedKind(input, type)
  const shown = displayByKind[kind]
  const [validation, setValidation] = useState<Validation>({
    rule: field?.meta?.validation ?? null,
    message: field?.meta?.validation_message ?? '',
  })
  const [conditions, setConditions] = useState(field?.meta?.conditions ?? [])
  const isValid =
    options !== undefined &&
    display !== undefined &&
    validation.rule !== undefined &&
    conditions.every(({ rule }) => rule !== undefined)
  const isText = type === 'string'
  const hasDefault = hasDefaultInput(field, type)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const name = field?.field ?? toText(given.get('name')).trim()
    const meta = {
      interface: input || null,
      options: options ?? null,
      ...(shown !== undefined && { display_options: display ?? null }),
      validation: isEmpty(validation.rule) ? null : validation.rule,
      validation_message: validation.message || null,
      conditions: conditions.length === 0 ? null : conditions,
      note: toText(given.get('note')) || null,
      ...specialOf(field, type, filledIn),
      ...flags,
    }
    const length = Number(given.get('length'))
    const schema = {
      ...(isText && length > 0 && { max_length: length }),
      ...(hasDefault && defaultText !== storedDefault && { default_value: toDefault(defaultText, type) }),
    }
    const work = () =>
      field === null
        ? client.fields.create(collection.name, { field: name, type, meta, schema } as never)
        : client.fields.update(collection.name, name, {
            meta,
            ...(field.schema !== null && type !== field.type && { type }),
            ...(Object.keys(schema).length > 0 && { schema }),
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
              proposal={{ kind: 'change-type', collection: collection.name, field: field.field, type }}
              hasRows
            />
          )}
          {field === null && isText && (
            <TextField name="length" type="number" label={translate('app.model.length')} defaultValue={255} />
          )}
          {hasDefault && <DefaultInput type={type} value={defaultText} onChange={setDefaultText} />}
          {field?.schema !== null && <FilledInInput type={type} value={filledIn} onChange={setFilledIn} />}
          <TextField
            select
            label={translate('app.model.interface')}
            value={input}
            onChange={({ target }) => setInput(target.value)}
          >
            <MenuItem value="">{translate('app.model.by_type')}</MenuItem>
            {[...new Set([...interfaceNames.current, ...interfaceNames.older, input])]
              .filter((each) => each !== '')
              .map((each) => (
                <MenuItem key={each} value={each}>
                  {interfaceNames.older.includes(each) ? translate('app.model.older', { name: each }) : each}
                </MenuItem>
              ))}
          </TextField>
          {withChoices.test(input) && options !== undefined && (
            <ChoicesInput
              choices={options['choices']}
              type={type}
              onChange={(choices) => setOptions({ ...options, choices })}
            />
          )}
          <OptionsForm key={input} known={optionsByKind[kind] ?? []} value={options ?? {}} onChange={setOptions} />
          {shown !== undefined && (
            <Box role="group" aria-label={translate('app.model.display')}>
              <OptionsForm known={shown} value={display ?? {}} onChange={setDisplay} />
            </Box>
          )}
          <TextField name="note" label={translate('app.model.note')} defaultValue={field?.meta?.note ?? ''} />
          {(['required', 'readonly', 'hidden'] as const).map((name) => (
            <FormControlLabel
              key={name}
              control={
                <Switch checked={flags[name]} onChange={(_, checked) => setFlags({ ...flags, [name]: checked })} />
              }
              label={translate(`app.model.${name}`)}
            />
          ))}
          {field !== null && (
            <>
              <ValidationInput {...{ model, collection }} value={validation} onChange={setValidation} />
              <ConditionsInput {...{ model, collection }} value={conditions} onChange={setConditions} />
            </>
          )}
        </DialogContent>
        {problem}
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={!isValid}>
            {translate('ra.action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Interfaces of both generations that offer choices. */
const withChoices = /^(select-(dropdown|radio|multiple-.*)|dropdown|radio-buttons|checkboxes)$/

const isEmpty = (rule: object | null | undefined): boolean =>
  rule === null || rule === undefined || Object.keys(rule).length === 0
