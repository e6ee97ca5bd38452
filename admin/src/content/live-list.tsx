/** What others do while a list is shown: new items are counted, changed ones marked. */
import { Button } from '@mui/material'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type RaRecord, useListContext, useTranslate } from 'react-admin'
import { filterOf, type ListFilter } from '../api/data-provider.ts'
import { useChanges } from '../api/live.ts'
import { hasWritten } from '../api/own-writes.ts'
import type { Row } from '../client.ts'
import type { Collection, Model } from '../model/model.ts'

type Keys = ReadonlySet<unknown>

/** Milliseconds in which several changes are read at once. */
const pause = 500

export function useLiveList(model: Model, collection: Collection) {
  const { data = [], refetch, resource, filter, filterValues } = useListContext<RaRecord>()
  const [created, setCreated] = useState<Keys>(new Set())
  const [changed, setChanged] = useState<Keys>(new Set())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const shown = new Set<unknown>(data.map(({ id }) => id))
  const question = filterOf({ ...(filter as ListFilter), ...(filterValues as ListFilter) })
  useChanges(model, collection, question, (kind, key) => {
    if (hasWritten(resource)) return
    if (kind === 'create') return setCreated((keys) => new Set([...keys, key]))
    if (kind === 'delete') setCreated((keys) => new Set([...keys].filter((each) => each !== key)))
    if (!shown.has(key)) return
    if (kind === 'update') setChanged((keys) => new Set([...keys, key]))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void refetch(), pause)
  })
  const isNew = (row: Row): boolean => changed.has(row['id'])
  const show = (): void => {
    setCreated(new Set())
    setChanged((keys) => new Set([...keys, ...created]))
    void refetch()
  }
  return { isNew, note: (<Note count={created.size} onShow={show} />) satisfies ReactNode }
}

const Note = ({ count, onShow }: { readonly count: number; readonly onShow: () => void }) => {
  const translate = useTranslate()
  return (
    <div role="status">
      {count > 0 && (
        <Button fullWidth size="small" onClick={onShow}>
          {translate('app.live.created', { smart_count: count })}
        </Button>
      )}
    </div>
  )
}
