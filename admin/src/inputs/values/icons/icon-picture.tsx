import { Box } from '@mui/material'
import { icons } from './icons.ts'

/** The picture of an icon; the name alone where there is none. */
export const IconPicture = ({ name }: { readonly name: string }) => {
  const Picture = Object.hasOwn(icons, name) ? icons[name] : undefined
  return Picture === undefined ? (
    <Box component="span">{name}</Box>
  ) : (
    <Picture titleAccess={name} fontSize="small" sx={{ display: 'block' }} />
  )
}
