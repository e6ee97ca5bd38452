/**
 * Writes that fail because the session has ended. The framework logs out then, and takes the write for done: what follows
 * a write would say that it was saved.
 */
let end: (error: unknown) => Promise<boolean> = () => Promise.resolve(false)

/** `next` logs out if the error means that the session has ended, and says whether it does. */
export const setSessionEnd = (next: (error: unknown) => Promise<boolean>): void => {
  end = next
}

/** Throws the error; after a logout the write never settles. */
export async function failWrite(error: unknown): Promise<never> {
  if (await end(error)) return new Promise<never>(() => {})
  throw error
}

let hasEnded = false

/** Whether the page of the login is there because a session has ended. */
export const sessionHasEnded = (): boolean => hasEnded

/** Until the next login. */
export const noteSessionEnd = (next: boolean): void => {
  hasEnded = next
}
