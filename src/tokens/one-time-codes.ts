/** One-time codes of the second factor: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, as all authenticator apps use. */
import { Secret, TOTP } from 'otpauth'

const period = 30
const format = { algorithm: 'SHA1', digits: 6, period } as const

/** Length of a secret in bytes: that of a SHA-1 hash (RFC 4226, section 4). */
const secretSize = 20

/** Minimum length of an accepted secret: shorter ones could be guessed. */
const leastSize = 10

/** A new secret in base 32, and its `otpauth:` URL for authenticator apps. */
export function createCodeSecret(label: string, issuer: string): { readonly secret: string; readonly url: string } {
  const totp = new TOTP({ ...format, issuer, label, secret: new Secret({ size: secretSize }) })
  return { secret: totp.secret.base32, url: totp.toString() }
}

/** The time step of a valid code (the previous, the present or the next one); null for a wrong code. */
export function matchCode(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '')
  const key = readSecret(secret)
  if (key === null || !/^\d{6}$/.test(token)) return null
  const delta = new TOTP({ ...format, secret: key }).validate({ token, timestamp: now.getTime(), window: 1 })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / period) + delta
}

export function codeAt(secret: string, now: Date): string {
  return new TOTP({ ...format, secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
}

function readSecret(text: string): Secret | null {
  if (!/^[a-z2-7]{1,200}=*$/i.test(text)) return null
  const secret = Secret.fromBase32(text)
  return secret.bytes.length < leastSize ? null : secret
}
