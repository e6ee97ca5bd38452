/** The collections whose changes can be recorded: all except those that the server writes for itself. */

const unrecorded: ReadonlySet<string> = new Set(['platform_activity', 'platform_revisions', 'platform_sessions'])

/** Whether changes of the collection's rows are ever recorded. */
export const isRecordable = (collection: string): boolean => !unrecorded.has(collection)
