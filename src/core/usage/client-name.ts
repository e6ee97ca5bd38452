/** The name of a client program, without data about the person who uses it. */
import { agentOf } from '../server/api-usage.ts'

/** Names and versions as programs write them; addresses, tokens and sentences do not match. */
const program = /^([A-Za-z][\w.-]{0,39})(?:\/v?(\d{1,4})(?!\d)(?:\.(\d{1,4})(?!\d))?\S*)?$/

/** The parts of a request that identify the program that sends it. */
export type Sender = {
  /** `X-Client`. */
  readonly client: string | null
  /** Name of the API key. */
  readonly key: string | null
  readonly userAgent: string | null
}

/** Of a key's name, so many characters fit. */
const longestKey = 60

/**
 * `X-Client` if it is a name with or without a version, else the name of the API key, else the first word of the user
 * agent. Of versions, two numbers count. Browsers have no version: an application in a browser names itself in
 * `X-Client`.
 * @example clientName({ client: 'shop-frontend/2.3.1', key: null, userAgent: 'Mozilla/5.0 …' }) // shop-frontend 2.3
 * @example clientName({ client: null, key: 'Nightly report', userAgent: 'curl/8.5' }) // key Nightly report
 */
export function clientName({ client, key, userAgent }: Sender): string {
  const own = nameOf(client ?? '')
  if (own !== null) return own
  if (key !== null) return `key ${Array.from(key).slice(0, longestKey).join('')}`
  const [first = ''] = (userAgent ?? '').split(/[ ;(]/, 1)
  return (first.startsWith('Mozilla/') ? null : nameOf(first)) ?? agentOf(userAgent)
}

function nameOf(text: string): string | null {
  const [, name, major, minor] = program.exec(text) ?? []
  if (name === undefined) return null
  return major === undefined ? name : `${name} ${major}${minor === undefined ? '' : `.${minor}`}`
}
