/**
 * Identity: rows of these collections have an `id` uuid and beside it a unique integer `number`.
 * One generation shows the uuid, the other the integer, everywhere, also in columns that refer to them.
 */
export const identityCollections = ['platform_users', 'platform_roles', 'platform_files', 'platform_folders'] as const

export type IdentityCollection = (typeof identityCollections)[number]

export const isIdentityCollection = (name: string): name is IdentityCollection =>
  (identityCollections as readonly string[]).includes(name)

/**
 * Rows that every database has from the beginning. The Administrator role (number 1) holds the
 * administrator policy; the Public role (number 2) is what the generation with integer ids calls an
 * anonymous actor; the public policy is attached to no role and no user, which means to everybody.
 */
export const seedIds = {
  administratorRole: '00000000-0000-4000-8000-000000000001',
  publicRole: '00000000-0000-4000-8000-000000000002',
  administratorPolicy: '00000000-0000-4000-8000-000000000011',
  publicPolicy: '00000000-0000-4000-8000-000000000012',
  administratorAccess: '00000000-0000-4000-8000-000000000021',
  publicAccess: '00000000-0000-4000-8000-000000000022',
} as const
