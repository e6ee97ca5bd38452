/** The input of a field. */

import { Alert, Divider } from '@mui/material'
import {
  AutocompleteArrayInput,
  AutocompleteInput,
  BooleanInput,
  maxLength,
  maxValue,
  minValue,
  NumberInput,
  ReferenceInput,
  regex,
  required,
  SelectInput,
  TextInput,
} from 'react-admin'
import { laterPart } from '../lazy.tsx'
import type { Collection, Field, Model } from '../model/model.ts'
import { toResource } from '../model/names.ts'
import { toManyOf, toOneOf } from '../model/relations.ts'
import { templateFields, toFieldLabel, toItemText } from '../model/texts.ts'
import { firstText } from '../model/to-text.ts'
import type { Common } from './common.ts'
import { choicesOf, type Kind, kindOf } from './kinds.ts'
import type { FieldProps } from './nested.ts'
import { flagOption, numberOption, textOption, wordsOption } from './options.ts'
import { CodeInput } from './values/code-input.tsx'
import { ColorInput } from './values/color-input.tsx'
import { HashInput } from './values/hash-input.tsx'
import { JsonInput } from './values/json-input.tsx'
import { MomentInput } from './values/moment-input.tsx'
import { TagsInput } from './values/tags-input.tsx'
import { isRequired, isWritable } from './writable.ts'

const FileInput = laterPart(() => import('./related/file-input.tsx'), 'FileInput')
const FormattedInput = laterPart(() => import('./values/formatted-input.tsx'), 'FormattedInput')
const RichInput = laterPart(() => import('./values/rich-input.tsx'), 'RichInput')
const RelatedList = laterPart(() => import('./related/related-list.tsx'), 'RelatedList')
const TranslationsInput = laterPart(() => import('./related/translations-input.tsx'), 'TranslationsInput')
const IconInput = laterPart(() => import('./values/icons/icon-input.tsx'), 'IconInput')
const ListInput = laterPart(() => import('./values/list-input.tsx'), 'ListInput')

export const FieldInput = (props: FieldProps) => {
  const { model, collection, field, action } = props
  const readOnly = !isWritable(collection, field, action)
  const kind = kindOf(model, field)
  const { max_length: longest } = field.schema ?? {}
  const [min, max] = [numberOption(field, 'min'), numberOption(field, 'max')]
  const placeholder = textOption(field, 'placeholder')
  const isText = kind === 'text' || kind === 'multiline'
  const common: Common = {
    source: field.field,
    label: toFieldLabel(field),
    helperText: field.meta?.note ?? false,
    readOnly,
    validate: [
      ...(isRequired(field, action) && !readOnly && kind !== 'boolean' ? [required()] : []),
      ...(isText && longest ? [maxLength(longest)] : []),
      ...(min === undefined ? [] : [minValue(min)]),
      ...(max === undefined ? [] : [maxValue(max)]),
      ...(kind === 'exact' ? [regex(/^-?\d+(\.\d+)?$/, 'ra.validation.number')] : []),
    ],
    ...(placeholder !== undefined && { placeholder }),
  }
  return <KindInput {...props} kind={kind} common={common} />
}

type KindProps = FieldProps & { readonly kind: Kind; readonly common: Common }

const KindInput = ({ kind, common, model, field, action }: KindProps) => {
  const choices = [...choicesOf(field)]
  const rows = numberOption(field, 'rows')
  const step = numberOption(field, 'step')
  const chosen = { choices, optionValue: 'value', optionText: 'text', translateChoice: false }
  switch (kind) {
    case 'text':
      return <TextInput {...common} {...trimmed(field)} type={flagOption(field, 'masked') ? 'password' : 'text'} />
    case 'exact':
      return <TextInput {...common} parse={toExact} slotProps={{ htmlInput: { inputMode: 'decimal' } }} />
    case 'multiline':
      return (
        <TextInput
          {...common}
          {...trimmed(field)}
          multiline
          minRows={rows ?? (field.meta?.interface ? 3 : 1)}
          maxRows={Math.max(20, rows ?? 0)}
        />
      )
    case 'markdown':
      return <FormattedInput {...common} markup="markdown" {...(rows !== undefined && { rows })} />
    case 'html':
      return <RichInput {...common} />
    case 'code':
      return (
        <CodeInput {...common} isJson={field.type === 'json'} rows={rows} template={textOption(field, 'template')} />
      )
    case 'integer':
      return <NumberInput {...common} step={step ?? 1} />
    case 'number':
      return <NumberInput {...common} step={step ?? 'any'} />
    case 'boolean':
      return <BooleanInput {...common} label={textOption(field, 'label') ?? common.label} />
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return <MomentInput {...common} kind={kind} hasSeconds={flagOption(field, 'includeSeconds') !== false} />
    case 'select':
      return <SelectInput {...common} {...chosen} resettable={!isRequired(field, action)} />
    case 'multi':
      return <AutocompleteArrayInput {...common} {...chosen} />
    case 'tags':
      return <TagsInput {...common} presets={wordsOption(field, 'presets')} />
    case 'json':
      return <JsonInput {...common} />
    case 'list':
      return <ListInput input={FieldInput} common={common} field={field} model={model} action={action} />
    case 'color':
      return <ColorInput {...common} />
    case 'icon':
      return <IconInput {...common} />
    case 'hash':
      return <HashInput {...common} />
    case 'file':
    case 'image':
      return (
        <FileInput
          {...common}
          isImage={kind === 'image'}
          folder={textOption(field, 'folder') ?? null}
          accept={wordsOption(field, 'allowedMimeTypes', 'accept')}
        />
      )
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

/** Spaces before a text are not taken; those after it may be between two words. */
const trimmed = (field: Field): { readonly parse?: (value: string) => string | null } =>
  flagOption(field, 'trim') ? { parse: (value) => value.trimStart() || null } : {}

const toExact = (value: string): string | null => (value.trim() === '' ? null : value.trim())

type RelationProps = { readonly common: Common; readonly model: Model; readonly field: Field }

const OneInput = ({ common, model, field }: RelationProps) => {
  const stored = toOneOf(model, field.collection, field.field)
  const template = textOption(field, 'template')
  if (stored === null) return <TextInput {...common} />
  const related = withTemplate(stored, template)
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

/** The collection, whose items are named by the template of a field. */
const withTemplate = (collection: Collection, template: string | undefined): Collection =>
  template === undefined ? collection : { ...collection, meta: { ...collection.meta, display_template: template } }

const ManyInput = ({ common, model, field, isTranslated }: RelationProps & { readonly isTranslated: boolean }) => {
  const relation = toManyOf(model, field.collection, field.field)
  if (relation === null) return null
  return isTranslated ? (
    <TranslationsInput common={common} model={model} relation={relation} />
  ) : (
    <RelatedList common={common} model={model} relation={relation} folder={textOption(field, 'folder') ?? null} />
  )
}
