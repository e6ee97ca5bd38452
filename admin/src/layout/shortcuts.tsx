/** Keys for the whole application, and the list of all keys. */
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Switch } from '@mui/material'
import { useEffect } from 'react'
import { useStore, useTranslate } from 'react-admin'

const keys = [
  ['?', 'help'],
  ['/', 'search'],
  ['Ctrl S', 'save'],
  ['Esc', 'close'],
  ['Alt ↑ ↓', 'columns'],
] as const

type Props = { readonly isOpen: boolean; readonly onOpen: () => void; readonly onClose: () => void }

export const Shortcuts = ({ isOpen, onOpen, onClose }: Props) => {
  const translate = useTranslate()
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
  return (
    <Dialog open={isOpen} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="keys-title">
      <DialogTitle id="keys-title">{translate('app.keys.title')}</DialogTitle>
      <DialogContent>
        <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'max-content 1fr', gap: 1, m: 0, mb: 2 }}>
          {keys.map(([key, name]) => (
            <Box key={name} sx={{ display: 'contents' }}>
              <Box component="dt" sx={{ fontFamily: 'monospace', fontWeight: 600 }}>
                {key}
              </Box>
              <Box component="dd" sx={{ m: 0 }}>
                {translate(`app.keys.${name}`)}
              </Box>
            </Box>
          ))}
        </Box>
        <FormControlLabel
          control={<Switch checked={isOn} onChange={({ target }) => setIsOn(target.checked)} />}
          label={translate('app.keys.single')}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Keys that are typed into an input, or pressed in a dialog or menu, mean something else. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
