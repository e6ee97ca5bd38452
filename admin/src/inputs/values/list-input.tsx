/** A list of groups of fields, stored as JSON. */
import AddIcon from '@mui/icons-material/Add'
import { Button } from '@mui/material'
import type { ComponentType } from 'react'
import { ArrayInput, SimpleFormIterator, useSimpleFormIterator, useTranslate } from 'react-admin'
import type { Collection, Field } from '../../model/model.ts'
import type { Common } from '../common.ts'
import type { FieldProps } from '../nested.ts'
import { JsonInput } from './json-input.tsx'

type Option = {
  readonly field?: string
  readonly name?: string
  readonly type?: string
  readonly meta?: object
  readonly interface?: string
}

/** A column that only exists in the JSON. */
const plain = {
  default_value: null,
  max_length: null,
  is_nullable: true,
  is_primary_key: false,
  is_generated: false,
  has_auto_increment: false,
}

const toField = ({ field, name, type, meta, interface: input }: Option): Field => ({
  collection: '',
  field: field ?? '',
  type: type ?? 'string',
  schema: plain,
  meta: { ...(name !== undefined && { translations: null }), interface: input ?? null, ...meta },
})

const anything: Collection = {
  name: '',
  meta: {},
  isFolder: false,
  isSystem: false,
  fields: [],
  key: null,
  rights: { create: { access: 'full' }, update: { access: 'full' }, read: { access: 'full' } },
}

type Props = Omit<FieldProps, 'collection'> & {
  readonly common: Common
  /** What shows a field of a group. */
  readonly input: ComponentType<FieldProps>
}

/** A frame around each group, which may have many fields. */
const framed = {
  '& .RaSimpleFormIterator-line': { border: 1, borderColor: 'divider', borderRadius: 2, p: 1.5, mb: 1 },
}

const AddButton = () => {
  const translate = useTranslate()
  const { add } = useSimpleFormIterator()
  return (
    <Button size="small" startIcon={<AddIcon />} onClick={() => add()}>
      {translate('ra.action.add')}
    </Button>
  )
}

export const ListInput = ({ input: Input, common, field, model, action }: Props) => {
  const options = (field.meta?.options?.['fields'] ?? []) as readonly Option[]
  const inner = options.filter((each) => typeof each.field === 'string' && each.field !== '').map(toField)
  if (inner.length === 0 || common.readOnly) return <JsonInput {...common} />
  return (
    <ArrayInput source={common.source} label={common.label} helperText={common.helperText} validate={common.validate}>
      <SimpleFormIterator fullWidth inline={inner.length <= 2} sx={framed} addButton={<AddButton />}>
        {inner.map((each) => (
          <Input key={each.field} model={model} collection={anything} field={each} action={action} />
        ))}
      </SimpleFormIterator>
    </ArrayInput>
  )
}
