/** Changes of items as they happen, by Server-Sent Events, where the server has them. */
import { useEffect, useRef } from 'react'
import { type Row, toServerUrl } from '../client.ts'
import type { Collection, Model } from '../model/model.ts'

const kinds = ['create', 'update', 'delete'] as const
type Kind = (typeof kinds)[number]

type Question = { readonly filter?: object; readonly search?: string }

/** `onChange` is told the key of the item; null if it may not be read. */
export function useChanges(
  { isLive }: Model,
  { name, key, isSystem }: Collection,
  question: Question | null,
  onChange: (kind: Kind, key: unknown) => void,
): void {
  const told = useRef(onChange)
  told.current = onChange
  const { filter, search } = question ?? {}
  const query = new URLSearchParams({
    fields: key ?? '',
    ...(filter !== undefined && { filter: JSON.stringify(filter) }),
    ...(search !== undefined && { search }),
  })
  const url = toServerUrl(`items/${encodeURIComponent(name)}/changes?${query}`)
  const isOn = isLive && !isSystem && key !== null && question !== null
  useEffect(() => {
    if (!isOn) return undefined
    const source = new EventSource(url)
    for (const kind of kinds) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        const value: unknown = JSON.parse(data)
        told.current(kind, typeof value === 'object' && value !== null ? (value as Row)[key] : value)
      })
    }
    return () => source.close()
  }, [isOn, url, key])
}
