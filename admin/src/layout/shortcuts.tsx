/** Keys for the whole application. */
import { useEffect } from 'react'
import { useStore } from 'react-admin'
import { later } from '../lazy.tsx'

const KeysDialog = later(() => import('./keys-dialog.tsx'), 'KeysDialog')

type Props = { readonly isOpen: boolean; readonly onOpen: () => void; readonly onClose: () => void }

export const Shortcuts = ({ isOpen, onOpen, onClose }: Props) => {
  // Single keys can be turned off: whoever speaks texts to the computer presses them by accident.
  const [isOn, setIsOn] = useStore('keys', true)
  useEffect(() => {
    if (!isOn) return undefined
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') onOpen()
      const search = event.key === '/' ? document.querySelector<HTMLInputElement>('main input[type="search"]') : null
      if (search === null) return
      event.preventDefault()
      search.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOn, onOpen])
  return isOpen ? <KeysDialog isOn={isOn} onTurn={setIsOn} onClose={onClose} /> : null
}

/** Keys that are typed into an input, or pressed in a dialog or menu, mean something else. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
