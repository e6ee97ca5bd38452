/** Opaque tokens: refresh tokens and static tokens. Only keyed hashes of them are stored. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedDigest } from './digest.ts'

/** The keyed hash that is stored for a token and used to look it up. */
export function hashToken(token: string, secret: string): string {
  return createHmac('sha256', secret).update('stored token\0').update(token).digest('base64url')
}

/** Whether the text has the form of a stored hash. Such a text is never accepted as a token. */
export const isTokenHash = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** Compares tokens in constant time. */
export const equalTokens = (one: string, other: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(one, secret)), Buffer.from(hashToken(other, secret)))

export const createStaticToken = (): string => randomBytes(24).toString('base64url')

const idLength = 16
const nonceLength = 16
const sealLength = 16

/**
 * Generates a refresh token of 64 characters: session id, random part, and a signature of both. It identifies its
 * session even after it was replaced, so that reuse of an old token can end the session.
 */
export function createRefreshToken(session: string, secret: string): string {
  const body = Buffer.concat([Buffer.from(session.replaceAll('-', ''), 'hex'), randomBytes(nonceLength)])
  return Buffer.concat([body, seal(body, secret)]).toString('base64url')
}

/** The session id of a refresh token; null if its signature is not valid. */
export function readRefreshToken(token: string, secret: string): string | null {
  const bytes = Buffer.from(token, 'base64url')
  if (token.length !== 64 || bytes.length !== idLength + nonceLength + sealLength) return null
  const body = bytes.subarray(0, idLength + nonceLength)
  if (!timingSafeEqual(seal(body, secret), bytes.subarray(idLength + nonceLength))) return null
  const hex = body.subarray(0, idLength).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const seal = (body: Buffer, secret: string): Buffer =>
  createHmac('sha256', secret).update('refresh token\0').update(body).digest().subarray(0, sealLength)

/** A keyed digest (40 hexadecimal digits): equal for equal texts, and useless to guess the text without the secret. */
export const shortDigest = (text: string, secret: string): string => keyedDigest(`digest\0${text}`, secret).slice(0, 40)
