import HistoryIcon from '@mui/icons-material/HistoryOutlined'
import { Button } from '@mui/material'
import { useState } from 'react'
import { useRecordContext, useTranslate } from 'react-admin'
import { later } from '../lazy.tsx'
import type { Collection, Model } from '../model/model.ts'

const History = later(() => import('./history.tsx'), 'History')

/** Opens the revisions of the item. */
export const HistoryButton = ({ model, collection }: { readonly model: Model; readonly collection: Collection }) => {
  const translate = useTranslate()
  const record = useRecordContext()
  const [isOpen, setIsOpen] = useState(false)
  if (record === undefined) return null
  return (
    <>
      <Button size="small" startIcon={<HistoryIcon />} onClick={() => setIsOpen(true)}>
        {translate('app.history.title')}
      </Button>
      {isOpen && (
        <History model={model} collection={collection} item={String(record.id)} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}
