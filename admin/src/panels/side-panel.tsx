/** A panel beside the page, over its whole height: history, versions, shares of an item. */
import CloseIcon from '@mui/icons-material/CloseOutlined'
import { Drawer, IconButton, Stack, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'

type Props = { readonly title: string; readonly onClose: () => void; readonly children: ReactNode }

/** `title` is the name of a text. */
export const SidePanel = ({ title, onClose, children }: Props) => {
  const translate = useTranslate()
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{
        paper: { sx: { width: 'min(34rem, 100vw)', p: 2 }, role: 'dialog', 'aria-label': translate(title) },
      }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography component="h2" variant="h6">
          {translate(title)}
        </Typography>
        <IconButton aria-label={translate('ra.action.close')} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </Stack>
      {children}
    </Drawer>
  )
}
