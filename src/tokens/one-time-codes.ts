/** One-time codes of a second factor: TOTP (RFC 6238) with SHA-1, six digits, 30 seconds, as every app makes them. */
import { Secret, TOTP } from 'otpauth'

const period = 30
const format = { algorithm: 'SHA1', digits: 6, period } as const

/** Bytes of a secret: as many as its hash has (RFC 4226, section 4). */
const secretSize = 20

/** Fewer could be guessed; an empty one, by everybody. */
const leastSize = 10

/** A secret in base 32, and the address by which apps take it over. */
export function createCodeSecret(label: string, issuer: string): { readonly secret: string; readonly url: string } {
  const totp = new TOTP({ ...format, issuer, label, secret: new Secret({ size: secretSize }) })
  return { secret: totp.secret.base32, url: totp.toString() }
}

/** The step of time that the code belongs to, the last, this or the next one; null when it is wrong. */
export function matchCode(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '')
  const key = readSecret(secret)
  if (key === null || !/^\d{6}$/.test(token)) return null
  const delta = new TOTP({ ...format, secret: key }).validate({ token, timestamp: now.getTime(), window: 1 })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / period) + delta
}

/** The code of a moment, as an app shows it. */
export function codeAt(secret: string, now: Date): string {
  return new TOTP({ ...format, secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
}

function readSecret(text: string): Secret | null {
  if (!/^[a-z2-7]{1,200}=*$/i.test(text)) return null
  const secret = Secret.fromBase32(text)
  return secret.bytes.length < leastSize ? null : secret
}
