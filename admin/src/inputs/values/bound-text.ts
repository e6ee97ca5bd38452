/** A text and who changes it: the field of a form, or what an input of its own keeps. */
import { useInput, useTranslate } from 'react-admin'
import { toText } from '../../model/to-text.ts'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

export type BoundText = {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onBlur?: () => void
  readonly id?: string
  readonly name?: string
  readonly isRequired?: boolean
  /** What is wrong with the text. */
  readonly problem?: string | undefined
}

/** The field of the form. */
export function useFormText({ source, validate }: Pick<Common, 'source' | 'validate'>): BoundText {
  const translate = useTranslate()
  const { field, fieldState, id, isRequired } = useInput({ source, validate })
  const { name, onChange, onBlur } = field
  const message = fieldState.error?.message
  const problem = message === undefined ? undefined : toProblem(message, translate)
  return { text: toText(field.value), onChange, onBlur, id, name, isRequired, problem }
}
