/** Administrators: active users with a login method and a policy with admin access. */
import { isAddressAllowed } from '../../authz/addresses.ts'
import type { Database } from '../../domain/ports/context.ts'
import { administratorAddresses } from '../../sql/statements/accounts/access.ts'

/** Whether an administrator can make requests from this address (null = from any address). */
export async function hasAdministrator(db: Database, ip: string | null): Promise<boolean> {
  const lists = await administratorAddresses(db)
  return lists.some((list) => ip === null || isAddressAllowed((list ?? '').split(','), ip))
}
