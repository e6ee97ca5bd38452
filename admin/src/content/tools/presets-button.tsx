/** Opens the saved lists. */
import BookmarkIcon from '@mui/icons-material/BookmarkBorderOutlined'
import { Button } from '@mui/material'
import { type ComponentProps, useState } from 'react'
import { useTranslate } from 'react-admin'
import { later } from '../../lazy.tsx'

const Presets = later(() => import('./presets.tsx'), 'Presets')

type Props = Omit<ComponentProps<typeof Presets>, 'anchor' | 'onClose'>

export const PresetsButton = (props: Props) => {
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        size="small"
        startIcon={<BookmarkIcon />}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {translate('app.presets.title')}
      </Button>
      {anchor !== null && <Presets {...props} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}
