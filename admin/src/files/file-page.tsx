/** One file: how it looks, and what is known of it. */
import { Alert, Box, Button } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useGetOne, useTranslate } from 'react-admin'
import { useParams } from 'react-router'
import { toServerUrl } from '../client.ts'
import { KnownItemEdit } from '../content/item-edit.tsx'
import { useCollection } from '../content/use-collection.ts'
import { toText } from '../model/to-text.ts'
import { contentsProblem } from './contents.ts'
import { FocalPoint } from './focal-point.tsx'
import { Transforms } from './transforms.tsx'

export const FilePage = () => {
  const translate = useTranslate()
  const here = useCollection()
  const { id = '' } = useParams()
  const { data } = useGetOne('system/files', { id, meta: { fields: ['id', 'type', 'title'] } })
  const address = toServerUrl(`assets/${id}`)
  const contents = useQuery({ queryKey: ['contents', id], queryFn: () => contentsProblem(address) })
  if (here === null) return null
  const isMissing = contents.data === 'missing'
  const isPicture = !isMissing && toText(data?.['type']).startsWith('image/')
  return (
    <Box sx={{ pt: 2, pb: 2 }}>
      {isMissing ? (
        <Alert severity="warning">{translate('app.file.missing')}</Alert>
      ) : (
        <Button href={`${address}?download`}>{translate('app.files.download')}</Button>
      )}
      <KnownItemEdit {...here} id={id} above={isPicture && <FocalPoint collection={here.collection} />} />
      {isPicture && <Transforms id={id} />}
    </Box>
  )
}
