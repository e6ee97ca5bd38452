/** IP allow lists of policies. */
import { BlockList, isIP } from 'node:net'

/**
 * Whether the list contains the address. Entries are addresses, ranges (`10.0.0.1-10.0.0.9`) and networks
 * (`10.0.0.0/8`). An empty list allows every address; an entry that cannot be parsed allows none.
 */
export function isAddressAllowed(list: readonly string[], ip: string | null): boolean {
  const entries = list.map((entry) => entry.trim()).filter((entry) => entry !== '')
  if (entries.length === 0) return true
  const address = plain(ip ?? '')
  const family = familyOf(address)
  if (family === null) return false
  const allowed = new BlockList()
  for (const entry of entries) add(allowed, entry)
  return allowed.check(address, family)
}

/** Turns an IPv4-mapped IPv6 address into the IPv4 address. */
const plain = (ip: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip

/** Length in bits of the prefix of IPv4-mapped IPv6 addresses. */
const mappedPrefix = 96

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null
}

function add(allowed: BlockList, entry: string): void {
  const [input = '', second, ...more] = entry.split(/[-/]/)
  if (more.length > 0) return
  const first = plain(input)
  const family = familyOf(first)
  if (family === null) return
  if (second === undefined) allowed.addAddress(first, family)
  else if (entry.includes('/')) {
    const prefix = /^\d{1,3}$/.test(second) ? Number(second) - (first === input ? 0 : mappedPrefix) : -1
    if (prefix >= 0 && prefix <= (family === 'ipv4' ? 32 : 128)) allowed.addSubnet(first, prefix, family)
  } else addRange(allowed, first, plain(second), family)
}

function addRange(allowed: BlockList, first: string, last: string, family: 'ipv4' | 'ipv6'): void {
  try {
    allowed.addRange(first, last, family)
  } catch {
    // A range whose end is no address of the same family, or is before its start, is empty.
  }
}

/** Whether the entry is a valid address, range or network that contains at least one address. */
export function isAddressEntry(entry: string): boolean {
  const [first = ''] = entry.split(/[-/]/)
  return entry.trim() !== '' && isAddressAllowed([entry], first)
}
