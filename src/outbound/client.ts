/** The port to the web. Its library is large and few servers fetch anything: it is loaded by the first request that does. */
import type { Outbound } from '../domain/outbound.ts'
import type { AddressRule } from './addresses.ts'

export type ClosableOutbound = Outbound & { readonly close: () => Promise<void> }

/** Opens nothing yet. */
export function createOutbound(isAllowed: AddressRule): ClosableOutbound {
  let opened: Promise<ClosableOutbound> | null = null
  const open = async (): Promise<ClosableOutbound> => {
    const { createGuardedFetch } = await import('./guarded-fetch.ts')
    return createGuardedFetch(isAllowed)
  }
  return {
    fetchFile: async (address, options) => (await (opened ??= open())).fetchFile(address, options),
    close: async () => (await opened)?.close(),
  }
}
