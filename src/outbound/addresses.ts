/** Which addresses of the network this server may connect to on behalf of a client. */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Decides about the address of a socket, as text. */
export type AddressRule = (address: string) => boolean

/** The only part of IPv6 that is given out for the public internet; elsewhere old forms of IPv4 addresses hide. */
const publicSix = ipaddr.parseCIDR('2000::/3')

/** Public by its number, and yet what a cloud's machines ask about themselves. */
const metadataServers: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Addresses of the public internet alone, however they are written, less those of the deny list
 * (addresses and networks; `0.0.0.0` stands for every address of this host).
 */
export function createAddressRule(denied: readonly string[]): AddressRule {
  const networks = denied.filter((each) => each !== '0.0.0.0').map(toNetwork)
  const isOwn = denied.includes('0.0.0.0') ? isOwnAddress : () => false
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    if (address.range() !== 'unicast' || isOwn(address.toNormalizedString())) return false
    if (address.kind() === 'ipv6' && !address.match(...publicSix)) return false
    if (metadataServers.has(address.toNormalizedString())) return false
    return !networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}

/** Whether a text can stand in the deny list. */
export const isNetwork = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

function toNetwork(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((each) =>
    each?.some(({ address: own }) => ipaddr.process(own.replace(/%.*$/, '')).toNormalizedString() === address),
  )
