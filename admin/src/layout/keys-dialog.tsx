/** The list of all keys. */
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Switch } from '@mui/material'
import { useTranslate } from 'react-admin'

const keys = [
  ['?', 'help'],
  ['/', 'search'],
  ['Ctrl S', 'save'],
  ['Esc', 'close'],
  ['Alt ↑ ↓', 'columns'],
] as const

type Props = {
  /** Whether single keys do something. */
  readonly isOn: boolean
  readonly onTurn: (isOn: boolean) => void
  readonly onClose: () => void
}

export const KeysDialog = ({ isOn, onTurn, onClose }: Props) => {
  const translate = useTranslate()
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="keys-title">
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
          control={<Switch checked={isOn} onChange={({ target }) => onTurn(target.checked)} />}
          label={translate('app.keys.single')}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
