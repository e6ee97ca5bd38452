/** Changes of the data model, after which the application reads it anew. */
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { forgetModel } from '../api/auth-provider.ts'
import { messageOf } from '../api/errors.ts'

/** Resolves to whether the change was made; says so either way, a problem by a notice unless `onProblem` shows it. */
export function useModelChange(
  onProblem?: (problem: string) => void,
): (work: () => Promise<unknown>) => Promise<boolean> {
  const notify = useNotify()
  const queries = useQueryClient()
  return async (work) => {
    try {
      await work()
      forgetModel()
      await queries.invalidateQueries()
      notify('app.item.saved', { type: 'info' })
      return true
    } catch (error) {
      if (onProblem === undefined) notify(messageOf(error), { type: 'error', multiLine: true })
      else onProblem(messageOf(error))
      return false
    }
  }
}
