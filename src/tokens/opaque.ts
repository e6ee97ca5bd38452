/** Tokens that say nothing by themselves: refresh tokens and static tokens. Only keyed hashes of them are stored. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What is stored of a token, and what it is looked up by. */
export function hashToken(token: string, secret: string): string {
  return createHmac('sha256', secret).update('stored token\0').update(token).digest('base64url')
}

/** A new static token. */
export const createStaticToken = (): string => randomBytes(24).toString('base64url')

const idLength = 16
const nonceLength = 16
const sealLength = 16

/**
 * A new refresh token of 64 characters: the session's id, chance, and a seal over both. It names its
 * session even when it has been replaced, so that using it again can end that session.
 */
export function createRefreshToken(session: string, secret: string): string {
  const body = Buffer.concat([Buffer.from(session.replaceAll('-', ''), 'hex'), randomBytes(nonceLength)])
  return Buffer.concat([body, seal(body, secret)]).toString('base64url')
}

/** The id of the session that the token was made for, or null when we have not made it. */
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

/** 40 hexadecimal digits that are equal for equal texts, and from which nobody without the secret can tell the text. */
export function digestText(text: string, secret: string): string {
  return createHmac('sha256', secret).update('digest\0').update(text).digest('hex').slice(0, 40)
}
