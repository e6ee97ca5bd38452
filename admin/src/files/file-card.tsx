/** One file of the library: how it looks, its name, and whether it is chosen. */
import FileIcon from '@mui/icons-material/InsertDriveFileOutlined'
import { Box, Card, CardActionArea, Checkbox, Typography } from '@mui/material'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { type Row, toServerUrl } from '../client.ts'
import { firstText, toText } from '../model/to-text.ts'
import { Picture } from './picture.tsx'

export const nameOfFile = (file: Row): string => firstText(file['title'], file['filename_download'], toText(file['id']))

type Props = { readonly file: Row; readonly isChosen: boolean; readonly onChoose: () => void }

export const FileCard = ({ file, isChosen, onChoose }: Props) => {
  const translate = useTranslate()
  const id = toText(file['id'])
  const name = nameOfFile(file)
  const isPicture = toText(file['type']).startsWith('image/')
  return (
    <Card component="li" sx={{ position: 'relative', ...(isChosen && { outline: 2, outlineColor: 'primary.main' }) }}>
      <CardActionArea component={Link} to={`/system/files/${id}`} sx={{ height: '100%' }}>
        <Box sx={{ height: 120, display: 'grid', placeItems: 'center', bgcolor: 'action.hover' }}>
          {isPicture ? (
            <Picture
              src={toServerUrl(`assets/${id}?width=240&height=180&fit=cover`)}
              alt=""
              loading="lazy"
              style={{ width: '100%', height: 120, objectFit: 'cover' }}
            />
          ) : (
            <FileIcon fontSize="large" />
          )}
        </Box>
        <Typography variant="body2" title={name} sx={{ p: 1, overflowWrap: 'anywhere', ...threeLines }}>
          {name}
        </Typography>
      </CardActionArea>
      <Checkbox
        size="small"
        checked={isChosen}
        onChange={onChoose}
        slotProps={{ input: { 'aria-label': translate('app.chosen.choose', { name }) } }}
        sx={{ position: 'absolute', top: 4, left: 4, p: 0.25, borderRadius: 1, bgcolor: 'background.paper' }}
      />
    </Card>
  )
}

const threeLines = {
  display: '-webkit-box',
  WebkitLineClamp: 3,
  WebkitBoxOrient: 'vertical',
  overflow: 'hidden',
  pb: 0,
  mb: 1,
}
