/** Which collections have changes that can be told: all but those in which the server writes about itself. */

const unrecorded: ReadonlySet<string> = new Set(['platform_activity', 'platform_revisions', 'platform_sessions'])

/** Whether changes of the collection's rows are ever recorded. */
export const isRecordable = (collection: string): boolean => !unrecorded.has(collection)
