/** Versions before 11 have no policies: roles hold the rights themselves. Each role gets a policy with its own id. */
import type { SourceRow } from '../../domain/ports/import-source.ts'
import { seedIds } from '../../domain/schema/identity.ts'

/** Whether the role holds rights itself. */
export const isOlderRole = (role: SourceRow): boolean => 'admin_access' in role

export const policiesOf = (roles: readonly SourceRow[]): readonly SourceRow[] =>
  roles.map(({ id, name, icon, ip_access, enforce_tfa, admin_access, app_access }) => {
    const rights = { ip_access, enforce_tfa, admin_access, app_access }
    return { id, name, icon: icon ?? 'badge', ...rights }
  })

/** Rows that attach these policies to their roles. */
export const accessOf = (roles: readonly SourceRow[]): readonly SourceRow[] =>
  roles.map(({ id }) => ({ role: id, user: null, policy: id, sort: 1 }))

/** A role as later versions have it. */
export const plainRole = ({ id, name, icon, description }: SourceRow): SourceRow => ({ id, name, icon, description })

/** A permission as later versions have it; permissions without a role are those of everybody. */
export function plainPermission({ role, ...permission }: SourceRow): SourceRow {
  if ('policy' in permission) return permission
  return { ...permission, policy: role ?? seedIds.publicPolicy }
}
