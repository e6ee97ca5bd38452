/** Control and S, or Command and S, save the form, as in other programs. */
import { useEffect, useRef } from 'react'

export const SaveKey = () => {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      // A dialog over the form has a form of its own.
      if (document.querySelector('[role="dialog"]') !== null) return
      const form = place.current?.closest('form')
      if (form?.querySelector('button[type="submit"]:not(:disabled)')) form.requestSubmit()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return <span ref={place} hidden />
}
