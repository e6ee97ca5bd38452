/** Password hashes: argon2id in PHC format. Bcrypt hashes of older installations can be verified. */
import { type Argon2Algorithm, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HashCost } from '../domain/ports/settings.ts'
import { compareBcrypt, readRounds } from './bcrypt.ts'
import { type HashQueue, loginTurns } from './hash-turns.ts'

/** Result of a verification. `needsRehash`: the stored hash does not have the present format or cost. */
export type Verdict = { readonly matches: boolean; readonly needsRehash: boolean }

/** Hashes with a random salt: `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`. */
export async function hashPassword(password: string, cost: HashCost, inTurn: HashQueue = loginTurns): Promise<string> {
  const salt = randomBytes(16)
  const hash = await inTurn(() => derive('argon2id', password, { salt, cost }))
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Cost of hashing, and the queue to run in; by default that of logins. */
type ComparisonOptions = { readonly cost: HashCost; readonly turns?: HashQueue }

/** Verifies a password. Without a stored hash it takes the same time and does not match. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  { cost, turns: inTurn = loginTurns }: ComparisonOptions,
): Promise<Verdict> {
  if (stored !== null && readRounds(stored) !== null) {
    return { matches: await inTurn(() => compareBcrypt({ password, stored })), needsRehash: isWholeForBcrypt(password) }
  }
  const existing = stored === null ? null : readPhc(stored)
  if (existing === null) {
    await inTurn(() => derive('argon2id', password, { salt: Buffer.alloc(16), cost }))
    return { matches: false, needsRehash: false }
  }
  const derived = await inTurn(() => derive(existing.algorithm, password, existing))
  const current = existing.algorithm === 'argon2id' && sameCost(existing.cost, cost)
  return { matches: timingSafeEqual(derived, existing.hash), needsRehash: !current }
}

/**
 * Whether bcrypt tells the password from all others. It compares 72 bytes and repeats a shorter password with a zero byte
 * between, so a text of 72 bytes may be the beginning of the true password, and one with a zero byte its repetition.
 */
const isWholeForBcrypt = (password: string): boolean => Buffer.byteLength(password) < 72 && !password.includes('\0')

/** Limits for hashes that a caller supplies; `work` is KiB of memory times passes. */
const hashBounds = { memory: 262_144, passes: 32, parallelism: 16, work: 524_288, rounds: 12 } as const

/** A parameter of a hash that exceeds the limits. Hashes with the server's own cost are always allowed. */
export type CostFault = { readonly parameter: string; readonly most: number; readonly received: number }

/** Checks the parameters of a hash without computing it. Null for an acceptable hash, and for texts that are not hashes. */
export function findCostFault(stored: string, own: HashCost): CostFault | null {
  const rounds = readRounds(stored)
  if (rounds !== null) return faultOf('rounds of bcrypt (as a power of two)', rounds, hashBounds.rounds)
  const cost = readPhc(stored)?.cost
  if (cost === undefined) return null
  const { memory, passes, parallelism, work } = hashBounds
  return (
    faultOf('KiB of memory (m)', cost.memory, Math.max(memory, own.memory)) ??
    faultOf('passes (t)', cost.passes, Math.max(passes, own.passes)) ??
    faultOf('lanes (p)', cost.parallelism, Math.max(parallelism, own.parallelism)) ??
    faultOf('KiB of memory times passes (m × t)', workOf(cost), Math.max(work, workOf(own)))
  )
}

const workOf = ({ memory, passes }: HashCost): number => memory * passes

const faultOf = (parameter: string, received: number, most: number): CostFault | null =>
  received > most ? { parameter, most, received } : null

type Salted = { readonly salt: Buffer; readonly cost: HashCost }

const phcText =
  /^\$(argon2id|argon2i)\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,8})\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{11,256})$/

/** Parses a hash in PHC format; null for other texts and for parameters below the minimum (RFC 9106, section 3.1). */
function readPhc(stored: string): (Salted & { readonly algorithm: Argon2Algorithm; readonly hash: Buffer }) | null {
  const match = phcText.exec(stored)
  if (match === null) return null
  const [algorithm, ...texts] = match.slice(1) as [string, ...string[]]
  const [memory = 0, passes = 0, parallelism = 0] = texts.slice(0, 3).map(Number)
  const [salt, hash] = texts.slice(3).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer]
  if (passes < 1 || parallelism < 1 || memory < 8 * parallelism) return null
  return {
    algorithm: algorithm as Argon2Algorithm,
    hash,
    salt,
    cost: { memory, passes, parallelism, length: hash.length },
  }
}

const sameCost = (a: HashCost, b: HashCost): boolean =>
  a.memory === b.memory && a.passes === b.passes && a.parallelism === b.parallelism && a.length === b.length

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

function derive(algorithm: Argon2Algorithm, password: string, { salt, cost }: Salted): Promise<Buffer> {
  const { memory, passes, parallelism, length } = cost
  const parameters = { message: password, nonce: salt, memory, passes, parallelism, tagLength: length }
  return new Promise<Buffer>((resolve, reject) => {
    argon2(algorithm, parameters, (error, hash) => (error ? reject(error) : resolve(Buffer.from(hash))))
  })
}
