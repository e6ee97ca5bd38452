/** The time of day, and identifiers made of chance. */
import type { Clock, Ids } from './domain/ports/context.ts'

export const clock: Clock = () => new Date()

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** From the system's source of chance; each character of a token carries six bits. */
export const ids: Ids = {
  uuid: () => crypto.randomUUID(),
  token: (length) => Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => alphabet[byte & 63]).join(''),
}
