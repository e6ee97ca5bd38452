/** When this page has last written to a resource, so that its own changes are not told as those of others. */
const times = new Map<string, number>()

/** Milliseconds in which the news of a write arrives. */
const span = 3_000

export const rememberWrite = (resource: string): void => void times.set(resource, Date.now())

export const hasWritten = (resource: string): boolean => Date.now() - (times.get(resource) ?? 0) < span
