/** Which addresses are counted as one. */
import { isIPv6 } from 'node:net'

/**
 * The key of an address: an IPv4 address as it is, or the /64 network of an IPv6 address, which belongs to one client.
 * @example networkOf('2001:db8:0:1::7') // '2001:db8:0:1'
 */
export function networkOf(ip: string | null): string {
  if (ip === null) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  const [address = ''] = ip.split('%', 1)
  if (!isIPv6(address)) return ip
  const [head = '', tail] = address.toLowerCase().split('::', 2)
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
