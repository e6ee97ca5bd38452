/** Code as text, with a button for the template of the field while there is none. */
import { Button } from '@mui/material'
import { TextInput, useTranslate } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { withMarks } from '../../model/exact-numbers.ts'
import type { Common } from '../common.ts'
import { JsonInput } from './json-input.tsx'

type Props = Common & {
  readonly isJson: boolean
  readonly rows: number | undefined
  readonly template: string | undefined
}

const monospace = { htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }

export const CodeInput = ({ isJson, rows, template, ...common }: Props) => (
  <>
    {isJson ? (
      <JsonInput {...common} />
    ) : (
      <TextInput {...common} multiline minRows={rows ?? 6} maxRows={30} slotProps={monospace} />
    )}
    {template !== undefined && !common.readOnly && (
      <TemplateButton source={common.source} value={isJson ? parsed(template) : template} />
    )}
  </>
)

const TemplateButton = ({ source, value }: { readonly source: string; readonly value: unknown }) => {
  const translate = useTranslate()
  const { setValue } = useFormContext()
  const current: unknown = useWatch({ name: source })
  if (value === undefined || (current !== null && current !== undefined && current !== '')) return null
  return (
    <Button size="small" onClick={() => setValue(source, value, { shouldDirty: true })}>
      {translate('app.input.template')}
    </Button>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(withMarks(text))
  } catch {
    return undefined
  }
}
