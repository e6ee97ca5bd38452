/** The outbound port. Its HTTP library is loaded on first use, because it is large and few servers need it. */
import type { AddressRule } from './addresses.ts'
import type { ClosableOutbound } from './guarded-fetch.ts'

/** Creates the port without opening connections. */
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
