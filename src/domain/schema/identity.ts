/**
 * Identity collections: their rows have a uuid `id` and a unique integer `number`. One generation shows the uuid, the
 * other shows the integer, also in columns that refer to these rows.
 */
export const identityCollections = ['platform_users', 'platform_roles', 'platform_files', 'platform_folders'] as const

export type IdentityCollection = (typeof identityCollections)[number]

export const isIdentityCollection = (name: string): name is IdentityCollection =>
  (identityCollections as readonly string[]).includes(name)

/**
 * The collection whose numbers the column holds where the field shows keys. A column of the row's own key shows what it
 * holds.
 */
export const numberedBy = ({ column }: { readonly column: NumberColumn | null }): IdentityCollection | null =>
  column === null || column.primaryKey ? null : (column.numberOf ?? null)

type NumberColumn = { readonly primaryKey: boolean; readonly numberOf?: IdentityCollection }

/**
 * Ids of the rows that every database starts with. The Administrator role (number 1) holds the administrator policy. The
 * Public role (number 2) is the role of anonymous requests in the generation with integer ids. The public policy is
 * attached to no role and no user: it applies to everybody. Its id is one that tools of the platform hard-code.
 */
export const seedIds = {
  administratorRole: '00000000-0000-4000-8000-000000000001',
  publicRole: '00000000-0000-4000-8000-000000000002',
  administratorPolicy: '00000000-0000-4000-8000-000000000011',
  publicPolicy: 'abf8a154-5b1c-4a46-ac9c-7300570f4f17',
  administratorAccess: '00000000-0000-4000-8000-000000000021',
  publicAccess: '00000000-0000-4000-8000-000000000022',
} as const
