/** Digests by which a state is recognised again. */
import { createHash } from 'node:crypto'

/** 40 hex digits, as clients of schema changes expect them; tells states apart and protects nothing. */
export const digestText = (text: string): string => createHash('sha1').update(text).digest('hex')
