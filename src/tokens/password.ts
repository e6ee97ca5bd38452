/** Password hashes: argon2id in PHC form; hashes by bcrypt, from installations of old, still verify. */
import { type Argon2Algorithm, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { compare } from 'bcryptjs'
import type { HashCost } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'

/** What a check of a password found out; `needsRehash` when the stored hash is not what we would make today. */
export type Verdict = { readonly matches: boolean; readonly needsRehash: boolean }

/** `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`, with a salt of its own. */
export async function hashPassword(password: string, cost: HashCost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive('argon2id', password, { salt, cost })
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Compares with the stored hash. Without one it works as long as with one, and finds that nothing matches. */
export async function verifyPassword(password: string, stored: string | null, cost: HashCost): Promise<Verdict> {
  if (stored !== null && isBcrypt(stored)) {
    return { matches: await inTurn(() => compare(password, stored)), needsRehash: true }
  }
  const known = stored === null ? null : readPhc(stored)
  if (known === null) {
    await derive('argon2id', password, { salt: Buffer.alloc(16), cost })
    return { matches: false, needsRehash: false }
  }
  const found = await derive(known.algorithm, password, known)
  const current = known.algorithm === 'argon2id' && sameCost(known.cost, cost)
  return { matches: timingSafeEqual(found, known.hash), needsRehash: !current }
}

const isBcrypt = (stored: string): boolean => /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(stored)

type Salted = { readonly salt: Buffer; readonly cost: HashCost }

const phcText =
  /^\$(argon2id|argon2i)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{11,256})$/

function readPhc(stored: string): (Salted & { readonly algorithm: Argon2Algorithm; readonly hash: Buffer }) | null {
  const match = phcText.exec(stored)
  if (match === null) return null
  const [algorithm, memory, passes, parallelism, salt, hash] = match.slice(1) as [string, ...string[]]
  const bytes = Buffer.from(hash ?? '', 'base64')
  return {
    algorithm: algorithm as Argon2Algorithm,
    hash: bytes,
    salt: Buffer.from(salt ?? '', 'base64'),
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), length: bytes.length },
  }
}

const sameCost = (a: HashCost, b: HashCost): boolean =>
  a.memory === b.memory && a.passes === b.passes && a.parallelism === b.parallelism && a.length === b.length

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

function derive(algorithm: Argon2Algorithm, password: string, { salt, cost }: Salted): Promise<Buffer> {
  const { memory, passes, parallelism, length } = cost
  const parameters = { message: password, nonce: salt, memory, passes, parallelism, tagLength: length }
  return inTurn(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2(algorithm, parameters, (error, hash) => (error ? reject(error) : resolve(Buffer.from(hash))))
      }),
  )
}

/** Hashing fills memory and threads: so many at once in this process, so many waiting, the rest is turned away. */
export const hashTurns = { working: 2, waiting: 200 } as const
let working = 0
const waiting: (() => void)[] = []

/** Does work that costs like a hash when it is its turn; throws `unavailable` when too many wait. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= hashTurns.working) {
    if (waiting.length >= hashTurns.waiting) {
      throw new TandemError({ kind: 'unavailable', service: 'login', reason: 'Too many at once', retryAfter: 5 })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else working += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) working -= 1
    else next()
  }
}
