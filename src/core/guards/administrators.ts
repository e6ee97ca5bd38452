/** Who administers the project: active users who can prove who they are and hold a policy that gives it. */
import { isAddressAllowed } from '../../authz/addresses.ts'
import type { Database } from '../../domain/ports/context.ts'
import { administratorAddresses } from '../../sql/statements/access.ts'

/** Whether there is an administrator who may ask from this address (null = from some address). */
export async function hasAdministrator(db: Database, ip: string | null): Promise<boolean> {
  const lists = await administratorAddresses(db)
  return lists.some((list) => ip === null || isAddressAllowed((list ?? '').split(','), ip))
}
