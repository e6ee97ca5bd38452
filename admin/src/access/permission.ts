/** Permissions of policies as the API returns them. */
import type { Action } from '../model/model.ts'

export type Permission = {
  readonly id: number
  readonly collection: string
  readonly action: Action
  readonly fields: readonly string[] | null
  readonly permissions: object | null
  readonly validation: object | null
  readonly presets: object | null
}

export const actions: readonly Action[] = ['create', 'read', 'update', 'delete', 'share']

/** Version 8 has no level for shares. */
export const leveled = actions.filter((action) => action !== 'share')
