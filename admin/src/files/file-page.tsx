/** One file: how it looks, and what is known of it. */
import { Box, Button } from '@mui/material'
import { useGetOne, useTranslate } from 'react-admin'
import { useParams } from 'react-router'
import { toServerUrl } from '../client.ts'
import { KnownItemEdit } from '../content/item-edit.tsx'
import { useCollection } from '../content/use-collection.ts'
import { toText } from '../model/to-text.ts'

export const FilePage = () => {
  const translate = useTranslate()
  const here = useCollection()
  const { id = '' } = useParams()
  const { data } = useGetOne('system/files', { id, meta: { fields: ['id', 'type', 'title'] } })
  if (here === null) return null
  const isPicture = toText(data?.['type']).startsWith('image/')
  return (
    <Box sx={{ pt: 2 }}>
      {isPicture && (
        <img
          src={toServerUrl(`assets/${id}?width=800&withoutEnlargement=true`)}
          alt={toText(data?.['title'])}
          style={{ maxWidth: '100%', maxHeight: '24rem', borderRadius: 8, display: 'block' }}
        />
      )}
      <Button href={toServerUrl(`assets/${id}?download`)} sx={{ mt: 1 }}>
        {translate('app.files.download')}
      </Button>
      <KnownItemEdit {...here} id={id} />
    </Box>
  )
}
