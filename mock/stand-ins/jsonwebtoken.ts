/** `jsonwebtoken` in the bundle: tokens with HS256, as the server signs and reads them. */

import { Buffer } from './buffer.ts'
import { createHmac } from './crypto.ts'

type Claims = { readonly [claim: string]: unknown; readonly exp?: number }
type Expected = { readonly issuer: string; readonly clockTimestamp: number }

const buffers = Buffer as {
  readonly from: (text: string, encoding?: string) => { readonly toString: (encoding?: string) => string }
}

class TokenExpiredError extends Error {}

const part = (value: object): string => buffers.from(JSON.stringify(value)).toString('base64url')

const sealOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url') as string

function sign(claims: Claims, secret: string): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${sealOf(text, secret)}`
}

function verify(token: string, secret: string, { issuer, clockTimestamp }: Expected): Claims {
  const [head = '', body = '', seal = ''] = token.split('.')
  if (seal !== sealOf(`${head}.${body}`, secret)) throw new Error('The token has another signature')
  const claims = JSON.parse(buffers.from(body, 'base64url').toString()) as Claims
  if (claims['iss'] !== issuer) throw new Error('The token has another issuer')
  if (claims.exp !== undefined && claims.exp <= clockTimestamp) throw new TokenExpiredError('The token has expired')
  return claims
}

export const module = { sign, verify, TokenExpiredError }
