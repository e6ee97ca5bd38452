/** The input of a field. */

import { Alert, Divider } from '@mui/material'
import {
  AutocompleteArrayInput,
  AutocompleteInput,
  BooleanInput,
  maxLength,
  NumberInput,
  ReferenceInput,
  regex,
  required,
  SelectInput,
  TextInput,
} from 'react-admin'
import { later } from '../lazy.tsx'
import type { Collection, Field, Model } from '../model/model.ts'
import { toResource } from '../model/names.ts'
import { toManyOf, toOneOf } from '../model/relations.ts'
import { templateFields, toFieldLabel, toItemText } from '../model/texts.ts'
import { firstText } from '../model/to-text.ts'
import { ColorInput } from './color-input.tsx'
import type { Common } from './common.ts'
import { HashInput } from './hash-input.tsx'
import { JsonInput } from './json-input.tsx'
import { choicesOf, type Kind, kindOf } from './kinds.ts'
import { MomentInput } from './moment-input.tsx'
import { TagsInput } from './tags-input.tsx'
import { isRequired, isWritable, type Writing } from './writable.ts'

const FileInput = later(() => import('./file-input.tsx'), 'FileInput')
const FormattedInput = later(() => import('./formatted-input.tsx'), 'FormattedInput')
const RichInput = later(() => import('./rich-input.tsx'), 'RichInput')
const RelatedList = later(() => import('./related-list.tsx'), 'RelatedList')
const TranslationsInput = later(() => import('./translations-input.tsx'), 'TranslationsInput')
const ListInput = later(() => import('./list-input.tsx'), 'ListInput')

export type FieldProps = {
  readonly model: Model
  readonly collection: Collection
  readonly field: Field
  readonly action: Writing
}

export const FieldInput = (props: FieldProps) => {
  const { model, collection, field, action } = props
  const readOnly = !isWritable(collection, field, action)
  const kind = kindOf(model, field)
  const { max_length: longest } = field.schema ?? {}
  const isText = kind === 'text' || kind === 'multiline'
  const common: Common = {
    source: field.field,
    label: toFieldLabel(field),
    helperText: field.meta?.note ?? false,
    readOnly,
    validate: [
      ...(isRequired(field, action) && !readOnly && kind !== 'boolean' ? [required()] : []),
      ...(isText && longest ? [maxLength(longest)] : []),
      ...(kind === 'exact' ? [regex(/^-?\d+(\.\d+)?$/, 'ra.validation.number')] : []),
    ],
  }
  return <KindInput {...props} kind={kind} common={common} />
}

type KindProps = FieldProps & { readonly kind: Kind; readonly common: Common }

const monospace = { htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }

const KindInput = ({ kind, common, model, field, action }: KindProps) => {
  const choices = [...choicesOf(field)]
  const chosen = { choices, optionValue: 'value', optionText: 'text', translateChoice: false }
  switch (kind) {
    case 'text':
      return <TextInput {...common} />
    case 'exact':
      return <TextInput {...common} parse={toExact} slotProps={{ htmlInput: { inputMode: 'decimal' } }} />
    case 'multiline':
      return <TextInput {...common} multiline minRows={field.meta?.interface ? 3 : 1} maxRows={20} />
    case 'markdown':
      return <FormattedInput {...common} markup="markdown" />
    case 'html':
      return <RichInput {...common} />
    case 'code':
      if (field.type === 'json') return <JsonInput {...common} />
      return <TextInput {...common} multiline minRows={6} maxRows={30} slotProps={monospace} />
    case 'integer':
      return <NumberInput {...common} step={1} />
    case 'number':
      return <NumberInput {...common} step="any" />
    case 'boolean':
      return <BooleanInput {...common} />
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return <MomentInput {...common} kind={kind} />
    case 'select':
      return <SelectInput {...common} {...chosen} resettable={!isRequired(field, action)} />
    case 'multi':
      return <AutocompleteArrayInput {...common} {...chosen} />
    case 'tags':
      return <TagsInput {...common} />
    case 'json':
      return <JsonInput {...common} />
    case 'list':
      return <ListInput common={common} field={field} model={model} action={action} />
    case 'color':
      return <ColorInput {...common} />
    case 'hash':
      return <HashInput {...common} />
    case 'file':
    case 'image':
      return <FileInput {...common} isImage={kind === 'image'} />
    case 'one':
      return <OneInput common={common} model={model} field={field} />
    case 'many':
    case 'translations':
      return <ManyInput common={common} model={model} field={field} isTranslated={kind === 'translations'} />
    case 'divider':
      return <Divider textAlign="left">{common.label}</Divider>
    case 'notice':
      return <Alert severity="info">{firstText(field.meta?.options?.['text'], common.label)}</Alert>
    case 'group':
    case 'none':
      return null
    default: {
      const never: never = kind
      return never
    }
  }
}

const toExact = (value: string): string | null => (value.trim() === '' ? null : value.trim())

type RelationProps = { readonly common: Common; readonly model: Model; readonly field: Field }

const OneInput = ({ common, model, field }: RelationProps) => {
  const related = toOneOf(model, field.collection, field.field)
  if (related === null) return <TextInput {...common} />
  const { source, ...rest } = common
  return (
    <ReferenceInput
      source={source}
      reference={toResource(related.name)}
      perPage={20}
      sort={{ field: related.key ?? 'id', order: 'ASC' }}
      queryOptions={{ meta: { fields: templateFields(related) } }}
    >
      <AutocompleteInput
        {...rest}
        optionText={(row: object) => toItemText(related, row as never)}
        inputText={(row: object) => toItemText(related, row as never)}
        matchSuggestion={() => true}
        filterToQuery={(text: string) => (text === '' ? {} : { q: text })}
      />
    </ReferenceInput>
  )
}

const ManyInput = ({ common, model, field, isTranslated }: RelationProps & { readonly isTranslated: boolean }) => {
  const relation = toManyOf(model, field.collection, field.field)
  if (relation === null) return null
  return isTranslated ? (
    <TranslationsInput common={common} model={model} relation={relation} />
  ) : (
    <RelatedList common={common} model={model} relation={relation} />
  )
}
