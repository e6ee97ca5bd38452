/** Translations of an item: two languages side by side. */

import { Box, FormLabel, MenuItem, Paper, TextField, Link as TextLink } from '@mui/material'
import { useEffect, useId, useState } from 'react'
import { useGetList, useRecordContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import type { Row } from '../../client.ts'
import { laterPart } from '../../lazy.tsx'
import { type Collection, type Field, hasFieldRight, hasRight, type Model } from '../../model/model.ts'
import { toResource } from '../../model/names.ts'
import type { ToMany } from '../../model/relations.ts'
import { templateFields, toFieldLabel, toItemText } from '../../model/texts.ts'
import { toText } from '../../model/to-text.ts'
import type { Common } from '../common.ts'
import { type Kind, kindOf } from '../kinds.ts'
import { columnPaths } from './related-fields.ts'
import { useRelatedRows } from './related-rows.ts'
import { useStaged } from './staged.ts'

type Props = { readonly common: Common; readonly model: Model; readonly relation: ToMany }

const FormattedText = laterPart(() => import('../values/formatted-input.tsx'), 'FormattedText')
const RichText = laterPart(() => import('../values/rich-input.tsx'), 'RichText')

const longKinds = new Set(['multiline', 'markdown', 'html', 'code'])
const textKinds = new Set(['text', ...longKinds])

/** The fields with texts, without the keys that join them. */
const textsOf = (model: Model, { many, manyField, junction }: ToMany): readonly Field[] =>
  many.fields.filter(
    (field) =>
      ![manyField, junction?.field, many.key].includes(field.field) &&
      field.schema !== null &&
      textKinds.has(kindOf(model, field)) &&
      hasFieldRight(many, 'read', field.field),
  )

export const TranslationsInput = ({ common, model, relation }: Props) => {
  const translate = useTranslate()
  const languages = relation.junction?.related as Collection
  const { data = [], isPending } = useGetList(toResource(languages.name), {
    pagination: { page: 1, perPage: 200 },
    sort: { field: languages.key ?? 'id', order: 'ASC' },
    meta: { fields: templateFields(languages) },
  })
  const [chosen, setChosen] = useState<readonly [string | null, string | null]>([null, null])
  const labelId = useId()
  const codes = useWrittenFirst(
    model,
    relation,
    (data as readonly Row[]).map((each) => String(each[languages.key ?? 'id'])),
  )
  const shown = [chosen[0] ?? codes[0], chosen[1] ?? codes[1]]
  return (
    <Box role="group" aria-labelledby={labelId} sx={{ my: 1 }}>
      <FormLabel id={labelId} sx={{ display: 'block', mb: 1 }}>
        {common.label}
      </FormLabel>
      {data.length === 0 && !isPending && (
        <Box sx={{ color: 'text.secondary' }}>
          {translate('app.translations.none')}{' '}
          {hasRight(languages, 'create') && (
            <TextLink component={Link} to={`/${toResource(languages.name)}/create`}>
              {translate('app.translations.add')}
            </TextLink>
          )}
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { md: shown[1] === undefined ? '1fr' : '1fr 1fr' } }}>
        {shown.map(
          (code, side) =>
            code !== undefined && (
              <Paper key={side} variant="outlined" sx={{ p: 2 }}>
                <TextField
                  select
                  label={translate('app.translations.language')}
                  value={code}
                  onChange={({ target }) =>
                    setChosen(side === 0 ? [target.value, chosen[1]] : [chosen[0], target.value])
                  }
                >
                  {(data as readonly Row[]).map((each) => (
                    <MenuItem key={String(each['id'])} value={String(each[languages.key ?? 'id'])}>
                      {toItemText(languages, each)}
                    </MenuItem>
                  ))}
                </TextField>
                <Texts common={common} model={model} relation={relation} code={code} name={code} />
              </Paper>
            ),
        )}
      </Box>
    </Box>
  )
}

/** Languages that the item has texts in come first. What is being written changes no order. */
function useWrittenFirst(model: Model, relation: ToMany, codes: readonly string[]): readonly string[] {
  const record = useRecordContext()
  const whole = withTexts(model, relation)
  const { rows } = useRelatedRows(whole, record?.id, columnPaths(whole))
  const written = new Set(rows.map((row) => String(row[relation.junction?.field ?? ''])))
  return codes.toSorted((a, b) => Number(written.has(b)) - Number(written.has(a)))
}

/** The whole rows are read, where lists of related items read what names them. */
const withTexts = (model: Model, relation: ToMany): ToMany => ({
  ...relation,
  many: {
    ...relation.many,
    meta: {
      ...relation.many.meta,
      display_template: [...textsOf(model, relation), { field: relation.junction?.field }]
        .map(({ field }) => `{{${field}}}`)
        .join(''),
    },
  },
  junction: null,
})

const Texts = ({ common, model, relation, code, name }: Props & { readonly code: string; readonly name: string }) => {
  const staged = useStaged(common.source, withTexts(model, relation))
  const languageField = relation.junction?.field ?? ''
  const inLanguage = staged.rows.filter(({ row }) => String(row[languageField]) === code)
  const found = inLanguage.find(({ key }) => key !== null) ?? inLanguage[0]
  const second = inLanguage.find((each) => each.key === null && each !== found)
  // What was written before the stored row was read belongs to that row: a language has one.
  useEffect(() => {
    if (found === undefined || found.key === null || second === undefined) return
    const { [languageField]: _, ...texts } = second.row
    staged.giveTo(found.key, second.row, texts)
  }, [found, second, languageField, staged])
  const change = (field: string, text: string): void => {
    const value = text === '' ? null : text
    if (found === undefined) staged.create({ [languageField]: code, [field]: value })
    else if (found.key === null) staged.replaceNew(found.row, { ...found.row, [field]: value })
    else staged.update({ [relation.many.key ?? 'id']: found.key, [field]: value })
  }
  const action = found === undefined ? 'create' : 'update'
  return textsOf(model, relation).map((field) => (
    <Box key={field.field} lang={code}>
      <Text
        kind={kindOf(model, field)}
        label={`${toFieldLabel(field)} (${name})`}
        text={toText(found?.row[field.field])}
        readOnly={common.readOnly || !hasFieldRight(relation.many, action, field.field)}
        onChange={(text) => change(field.field, text)}
      />
    </Box>
  ))
}

type TextProps = {
  readonly kind: Kind
  readonly label: string
  readonly text: string
  readonly readOnly: boolean
  readonly onChange: (text: string) => void
}

const Text = ({ kind, readOnly, ...text }: TextProps) => {
  if (kind === 'markdown') return <FormattedText {...text} readOnly={readOnly} helperText={false} markup="markdown" />
  if (kind === 'html') return <RichText {...text} readOnly={readOnly} helperText={false} />
  const isLong = longKinds.has(kind)
  return (
    <TextField
      label={text.label}
      value={text.text}
      multiline={isLong}
      minRows={isLong ? 3 : 1}
      onChange={({ target }) => text.onChange(target.value)}
      slotProps={{ htmlInput: { readOnly, dir: 'auto' } }}
    />
  )
}
