import type { FieldTable } from './field-table.ts'

export const activity: FieldTable = {
  id: { field: 'id' },
  action: { field: 'action', codec: { kind: 'words', words: { login: 'authenticate' } } },
  action_by: { field: 'user' },
  action_on: { field: 'timestamp' },
  ip: { field: 'ip' },
  user_agent: { field: 'user_agent' },
  collection: { field: 'collection', holds: 'collection' },
  item: { field: 'item' },
  edited_on: { field: 'edited_on' },
  comment: { field: 'comment' },
  comment_deleted_on: { field: 'comment_deleted_on' },
}

/** Entries that users have looked at. */
export const activitySeen: FieldTable = {
  id: { field: 'id' },
  activity: { field: 'activity' },
  user: { field: 'user' },
  seen_on: { field: 'seen_on' },
  archived: { field: 'archived' },
}
