/**
 * Identity: rows of these collections have an `id` uuid and beside it a unique integer `number`.
 * One generation shows the uuid, the other the integer, everywhere, also in columns that refer to them.
 */
export const identityCollections = ['platform_users', 'platform_roles', 'platform_files', 'platform_folders'] as const

export type IdentityCollection = (typeof identityCollections)[number]

export const isIdentityCollection = (name: string): name is IdentityCollection =>
  (identityCollections as readonly string[]).includes(name)
