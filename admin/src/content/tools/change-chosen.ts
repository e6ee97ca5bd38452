import { useListContext, useNotify, useRefresh, useUpdateMany } from 'react-admin'
import { messageOf } from '../../api/errors.ts'

/** Writes the same changes into all chosen items. `change` tells what was wrong; null if nothing was. */
export function useChangeChosen() {
  const { resource, selectedIds, onUnselectItems } = useListContext()
  const [updateMany, { isPending }] = useUpdateMany()
  const notify = useNotify()
  const refresh = useRefresh()
  const change = async (data: object): Promise<string | null> => {
    try {
      await updateMany(resource, { ids: selectedIds, data }, { returnPromise: true })
      notify('ra.notification.updated', { type: 'info', messageArgs: { smart_count: selectedIds.length } })
      onUnselectItems()
      refresh()
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return { change, isPending, count: selectedIds.length }
}
