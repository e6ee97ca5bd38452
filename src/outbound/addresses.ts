/** Decides which network addresses the server may connect to on behalf of a client. */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type AddressRule = (address: string) => boolean

/** The range of public unicast IPv6 addresses. Other ranges can embed IPv4 addresses. */
const publicSix = ipaddr.parseCIDR('2000::/3')

/** Metadata services of clouds: their addresses are public by number, but local to the machine. */
const metadataServers: ReadonlySet<string> = new Set(['168.63.129.16'])

/** Addresses and networks. `denied` takes precedence; `0.0.0.0` in it stands for every address of this host. */
export type AddressLists = { readonly denied: readonly string[]; readonly allowed: readonly string[] }

/** Allows public addresses in any notation, and those in `allowed`, except those in `denied`. */
export function createAddressRule({ denied, allowed }: AddressLists): AddressRule {
  const isDenied = within(denied.filter((each) => each !== '0.0.0.0'))
  const isAllowed = within(allowed)
  const isOwn = denied.includes('0.0.0.0') ? isOwnAddress : () => false
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return !isDenied(address) && !isOwn(address) && (isAllowed(address) || isPublic(address))
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function within(texts: readonly string[]): (address: Address) => boolean {
  const networks = texts.map(toNetwork)
  return (address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || metadataServers.has(address.toNormalizedString())) return false
  return address.kind() === 'ipv4' || address.match(...publicSix)
}

export const isNetwork = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)

function toNetwork(text: string): readonly [Address, number] {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text)
    const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits]
  }
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether the address belongs to this host: an interface, the loopback network, or the unspecified address. */
function isOwnAddress(address: Address): boolean {
  if (['loopback', 'unspecified'].includes(address.range())) return true
  const text = address.toNormalizedString()
  return Object.values(networkInterfaces()).some((each) =>
    each?.some(({ address: own }) => ipaddr.process(own.replace(/%.*$/, '')).toNormalizedString() === text),
  )
}
