import { hasRight, type Model } from '../model/model.ts'
import { toSystemPath } from '../model/names.ts'

/** Whether the user may read records of the platform: `users`, `files`. */
export const mayRead = (model: Model, records: string): boolean =>
  [...model.collections.values()].some(
    (each) => each.isSystem && toSystemPath(each.name) === records && hasRight(each, 'read'),
  )
