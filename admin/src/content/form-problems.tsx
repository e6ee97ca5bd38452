/** What a refused form shows: its first field with a problem, which may be far from the button. */
import { useEffect, useRef } from 'react'
import { useNotify } from 'react-admin'
import { useFormState } from 'react-hook-form'

/** In place of the notice of the framework, which does not name the fields that the server has named. */
export const FormProblems = () => {
  const notify = useNotify()
  const mark = useRef<HTMLSpanElement>(null)
  const { errors, isSubmitting, submitCount } = useFormState()
  const shownCount = useRef(0)
  useEffect(() => {
    if (isSubmitting || submitCount === shownCount.current) return
    shownCount.current = submitCount
    if (Object.keys(errors).length === 0) return
    if (!isFromServer(errors)) notify('ra.message.invalid_form', { type: 'error' })
    const field = mark.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [errors, isSubmitting, submitCount, notify])
  return <span ref={mark} hidden />
}

/** Errors of nested fields are in the error of their field. */
const isFromServer = (errors: object): boolean =>
  Object.values(errors).some((error: unknown) => {
    if (typeof error !== 'object' || error === null || error instanceof Element) return false
    return 'type' in error && typeof error.type === 'string' ? error.type === 'server' : isFromServer(error)
  })
