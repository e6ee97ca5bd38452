/** Digests by which a state is recognised again. */
import { createHash, hash } from 'node:crypto'

/** 40 hex digits, as clients of schema changes expect them; tells states apart and protects nothing. */
export const digestText = (text: string): string => createHash('sha1').update(text).digest('hex')

/** 40 hex digits, the first of SHA-256: nobody finds two texts with the same. */
export const fingerprint = (text: string): string => hash('sha256', text, 'hex').slice(0, 40)
