/** `node:buffer` in the bundle: Node's own where it exists, elsewhere the part of it that the server's modules use. */

type Encoding = 'utf8' | 'utf-8' | 'base64' | 'base64url' | 'hex' | 'latin1'

const binary = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
const fromBinary = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

function decode(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'hex':
      return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16))
    case 'base64':
    case 'base64url':
      return fromBinary(
        atob(
          text
            .replaceAll('-', '+')
            .replaceAll('_', '/')
            .replace(/[^A-Za-z0-9+/]/g, ''),
        ),
      )
    case 'latin1':
      return fromBinary(text)
    default:
      return new TextEncoder().encode(text)
  }
}

class Bytes extends Uint8Array {
  static override from(source: unknown, encoding?: unknown): Bytes {
    if (source instanceof ArrayBuffer) return new Bytes(source)
    const bytes =
      typeof source === 'string'
        ? decode(source, (encoding as Encoding | undefined) ?? 'utf8')
        : Uint8Array.from(source as ArrayLike<number>)
    return new Bytes(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
  }

  static alloc = (size: number): Bytes => new Bytes(size)
  static allocUnsafe = (size: number): Bytes => new Bytes(size)
  static isBuffer = (value: unknown): boolean => value instanceof Bytes

  static byteLength = (value: string | Uint8Array): number =>
    typeof value === 'string' ? new TextEncoder().encode(value).byteLength : value.byteLength

  static concat(parts: readonly Uint8Array[]): Bytes {
    const whole = new Bytes(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.byteLength
    }
    return whole
  }

  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'hex') return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('')
    if (encoding === 'base64') return btoa(binary(this))
    if (encoding === 'base64url')
      return btoa(binary(this)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    return encoding === 'latin1' ? binary(this) : new TextDecoder().decode(this)
  }
}

export const Buffer = (globalThis as { readonly Buffer?: unknown }).Buffer ?? Bytes

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
