/**
 * Fields that hold credentials as they are sent to other servers. Only administrators read them, whatever rules say, and
 * history does not keep them.
 */
export const holdsCredentials = (collection: string, field: string): boolean =>
  collection === 'platform_webhooks' && field === 'headers'
