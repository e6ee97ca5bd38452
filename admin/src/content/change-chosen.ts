import { useListContext, useNotify, useRefresh, useUpdateMany } from 'react-admin'
import { messageOf } from '../api/errors.ts'

/** Writes the same changes into all chosen items. */
export function useChangeChosen() {
  const { resource, selectedIds, onUnselectItems } = useListContext()
  const [updateMany, { isPending }] = useUpdateMany()
  const notify = useNotify()
  const refresh = useRefresh()
  const change = async (data: object): Promise<void> => {
    try {
      await updateMany(resource, { ids: selectedIds, data }, { returnPromise: true })
      notify('ra.notification.updated', { type: 'info', messageArgs: { smart_count: selectedIds.length } })
      onUnselectItems()
      refresh()
    } catch (error) {
      notify(messageOf(error), { type: 'error' })
    }
  }
  return { change, isPending, count: selectedIds.length }
}
