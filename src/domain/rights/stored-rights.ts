/** Permissions and policies as they are stored, before anybody has understood them. */

export type PermissionRow = {
  readonly id: number
  readonly collection: string
  readonly action: string
  readonly permissions: unknown
  readonly validation: unknown
  readonly presets: unknown
  /** `*`, or names joined by commas. */
  readonly fields: string | null
}

/** A policy that could be assigned. */
export type PolicyGrant = {
  readonly id: string
  readonly admin_access: boolean
  readonly app_access: boolean
  readonly permissions: readonly PermissionRow[]
}

/** A policy as its holder has it. `ip_access`: addresses from which it counts, joined by commas. */
export type PolicyRow = {
  readonly id: string
  readonly ip_access: string | null
  readonly admin_access: boolean
  readonly app_access: boolean
  readonly enforce_tfa: boolean
}

export type LevelRow = {
  readonly id: number
  readonly role: string
  readonly collection: string
  readonly status: string | null
  readonly create: string | null
  readonly read: string | null
  readonly update: string | null
  readonly delete: string | null
  readonly comment: string | null
  readonly explain: string | null
  /** Names joined by commas. */
  readonly read_field_blacklist: string | null
  readonly write_field_blacklist: string | null
  readonly status_blacklist: string | null
}

/** All rights of a user or role. `roles`: the role and its ancestors, nearest first. */
export type HeldAccess = {
  readonly roles: readonly string[]
  readonly policies: readonly PolicyRow[]
  readonly permissions: readonly (PermissionRow & { readonly policy: string })[]
  readonly levels: readonly LevelRow[]
  /** Addresses from which users of the role may come, joined by commas; null = any. */
  readonly role_ip: string | null
  /** Whether users of the role need a second factor. */
  readonly role_tfa: boolean | null
}
