/** The name of a client: what a program says of itself, without anything about the person who uses it. */
import { agentOf } from '../server/api-usage.ts'

/** Names and versions as programs write them; addresses, tokens and sentences are none. */
const program = /^([A-Za-z][\w.-]{0,39})(?:\/v?(\d{1,4})(?!\d)(?:\.(\d{1,4})(?!\d))?\S*)?$/

/**
 * `X-Client` if it is a name with or without a version, else the first word of the user agent. Of versions, two numbers
 * count. Browsers have no version: an application in a browser names itself in `X-Client`.
 * @example clientName('shop-frontend/2.3.1', 'Mozilla/5.0 …') // shop-frontend 2.3
 */
export function clientName(named: string | null, userAgent: string | null): string {
  const own = nameOf(named ?? '')
  if (own !== null) return own
  const [first = ''] = (userAgent ?? '').split(/[ ;(]/, 1)
  return (first.startsWith('Mozilla/') ? null : nameOf(first)) ?? agentOf(userAgent)
}

function nameOf(text: string): string | null {
  const [, name, major, minor] = program.exec(text) ?? []
  if (name === undefined) return null
  return major === undefined ? name : `${name} ${major}${minor === undefined ? '' : `.${minor}`}`
}
