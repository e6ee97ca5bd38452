/** Self-signed certificates for tests (X.509, RFC 5280). */
import { createSign, generateKeyPairSync } from 'node:crypto'

export type SigningKey = {
  /** PEM */
  readonly key: string
  /** DER in base64. */
  readonly certificate: string
}

const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts)

/** sha256WithRSAEncryption */
const algorithm = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'))

/** commonName */
const nameOf = (text: string): Buffer =>
  sequence(tagged(0x31, sequence(Buffer.from('0603550403', 'hex'), tagged(0x0c, Buffer.from(text)))))

export function createSigningKey(name: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const validity = sequence(...['200101000000Z', '400101000000Z'].map((time) => tagged(0x17, Buffer.from(time))))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(tagged(0x02, Buffer.from([1])), algorithm, nameOf(name), validity, nameOf(name), spki)
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = sequence(body, algorithm, tagged(0x03, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: certificate.toString('base64'),
  }
}
