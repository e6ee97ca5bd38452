/** Tells in a form that somebody else has just saved the item. */
import { Alert, Button } from '@mui/material'
import { useState } from 'react'
import { useRecordContext, useRefresh, useTranslate } from 'react-admin'
import { useFormState } from 'react-hook-form'
import { useChanges } from '../api/live.ts'
import { hasWritten } from '../api/own-writes.ts'
import type { Here } from './use-collection.ts'

/** In sight wherever the form is scrolled to, below the bar. */
const stays = { mb: 1, width: '100%', position: 'sticky', top: 56, zIndex: 'appBar' } as const

export const LiveForm = ({ model, collection, resource }: Here) => {
  const translate = useTranslate()
  const refresh = useRefresh()
  const record = useRecordContext()
  const { isDirty } = useFormState()
  const [news, setNews] = useState<'update' | 'delete' | null>(null)
  const { key } = collection
  const question =
    record === undefined || key === null || key === '$key' ? null : { filter: { [key]: { _eq: record.id } } }
  useChanges(model, collection, question, (kind) => {
    if (kind !== 'create' && !hasWritten(resource)) setNews(kind)
  })
  const load = (): void => {
    setNews(null)
    refresh()
  }
  if (news === null) return null
  // Values that were typed in stay; saving them shows both.
  const button = news === 'update' && !isDirty && (
    <Button color="inherit" size="small" onClick={load}>
      {translate('app.live.load')}
    </Button>
  )
  return (
    <Alert severity="info" role="status" action={button} sx={stays}>
      {translate(news === 'delete' ? 'app.live.deleted' : isDirty ? 'app.live.both' : 'app.live.saved')}
    </Alert>
  )
}
