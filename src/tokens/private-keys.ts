/** Private keys that operators give. */
import { createPrivateKey } from 'node:crypto'

/** The key as PEM (PKCS #8) without a password; null if it, or its password, cannot be used. */
export function openPrivateKey(pem: string, password: string | null): string | null {
  try {
    const key = createPrivateKey({ key: pem, ...(password === null ? {} : { passphrase: password }) })
    return key.export({ type: 'pkcs8', format: 'pem' }) as string
  } catch {
    return null
  }
}
