/** Who may do what: every operation, asked its plainest good question by every kind of user of the world. */
import type { CurrentOperations } from '../src/generated/current.ts'
import type { LegacyOperations } from '../src/generated/legacy.ts'
import type { Answer } from './checks.ts'
import { type UserKind, userKinds } from './world.ts'

/** `yes`: 2xx; `who`: 401; `no`: refused to this user (403, or 404 for what it may not see). */
export type Outcome = 'yes' | 'who' | 'no'

/** One letter column per kind of user, in the order of `userKinds`. */
type Row = readonly [public_: Outcome, nobody: Outcome, writer: Outcome, editor: Outcome, admin: Outcome]

const everybody: Row = ['yes', 'yes', 'yes', 'yes', 'yes']
const users: Row = ['who', 'yes', 'yes', 'yes', 'yes']
const readers: Row = ['no', 'no', 'no', 'yes', 'yes']
const identified: Row = ['no', 'yes', 'yes', 'yes', 'yes']
const blindWriters: Row = ['no', 'no', 'yes', 'no', 'yes']
const writers: Row = ['no', 'no', 'yes', 'yes', 'yes']
const administrators: Row = ['no', 'no', 'no', 'no', 'yes']

/** The legacy generation tells those without a token to get one. */
const named = ([, ...rest]: Row): Row => ['who', ...rest]

/** An operation without a row does not compile. */
const matrix = {
  current: {
    login: everybody,
    refreshSession: everybody,
    logout: everybody,
    readItems: readers,
    createItems: writers,
    updateItems: writers,
    deleteItems: administrators,
    readItem: readers,
    updateItem: writers,
    deleteItem: administrators,
    readCollections: administrators,
    createCollections: administrators,
    updateCollections: administrators,
    deleteCollections: administrators,
    readCollection: administrators,
    updateCollection: administrators,
    deleteCollection: administrators,
    readFields: administrators,
    readCollectionFields: administrators,
    createFields: administrators,
    updateFields: administrators,
    deleteFields: administrators,
    readField: administrators,
    updateField: administrators,
    deleteField: administrators,
    readRelations: administrators,
    createRelation: administrators,
    readCollectionRelations: administrators,
    readRelation: administrators,
    updateRelation: administrators,
    deleteRelation: administrators,
    pingServer: everybody,
    readServerInfo: everybody,
    readServerHealth: everybody,
    readOpenApiSpec: everybody,
    readMe: users,
    readProviders: everybody,
    readUsers: readers,
    readUser: readers,
    createUsers: blindWriters,
    updateUsers: blindWriters,
    updateUser: blindWriters,
    deleteUsers: administrators,
    deleteUser: administrators,
    readRoles: readers,
    readRole: readers,
    createRoles: blindWriters,
    updateRoles: blindWriters,
    updateRole: blindWriters,
    deleteRoles: administrators,
    deleteRole: administrators,
    readPolicies: readers,
    readPolicy: readers,
    createPolicies: blindWriters,
    updatePolicies: blindWriters,
    updatePolicy: blindWriters,
    deletePolicies: administrators,
    deletePolicy: administrators,
    readAccesses: readers,
    readAccess: readers,
    createAccesses: blindWriters,
    updateAccesses: blindWriters,
    updateAccess: blindWriters,
    deleteAccesses: administrators,
    deleteAccess: administrators,
    readPermissions: readers,
    readPermission: readers,
    createPermissions: blindWriters,
    updatePermissions: blindWriters,
    updatePermission: blindWriters,
    deletePermissions: administrators,
    deletePermission: administrators,
    readFolders: readers,
    readFolder: readers,
    createFolders: blindWriters,
    updateFolders: blindWriters,
    updateFolder: blindWriters,
    deleteFolders: administrators,
    deleteFolder: administrators,
    readPresets: readers,
    readPreset: readers,
    createPresets: blindWriters,
    updatePresets: blindWriters,
    updatePreset: blindWriters,
    deletePresets: administrators,
    deletePreset: administrators,
    readComments: readers,
    readComment: readers,
    createComments: blindWriters,
    updateComments: blindWriters,
    updateComment: blindWriters,
    deleteComments: administrators,
    deleteComment: administrators,
    readNotifications: readers,
    readNotification: readers,
    createNotifications: blindWriters,
    updateNotifications: blindWriters,
    updateNotification: blindWriters,
    deleteNotifications: administrators,
    deleteNotification: administrators,
    readDashboards: readers,
    readDashboard: readers,
    createDashboards: blindWriters,
    updateDashboards: blindWriters,
    updateDashboard: blindWriters,
    deleteDashboards: administrators,
    deleteDashboard: administrators,
    readPanels: readers,
    readPanel: readers,
    createPanels: blindWriters,
    updatePanels: blindWriters,
    updatePanel: blindWriters,
    deletePanels: administrators,
    deletePanel: administrators,
    readTranslations: readers,
    readTranslation: readers,
    createTranslations: blindWriters,
    updateTranslations: blindWriters,
    updateTranslation: blindWriters,
    deleteTranslations: administrators,
    deleteTranslation: administrators,
    readActivities: readers,
    readActivity: readers,
    readRevisions: readers,
    readRevision: readers,
    updateMe: ['who', 'no', 'yes', 'no', 'yes'],
    trackPage: users,
    readMyRoles: users,
    readPolicyGlobals: identified,
    readMyPermissions: identified,
    readCollectionPermissions: identified,
    readItemPermissions: identified,
    readSettings: readers,
    updateSettings: blindWriters,
    createRandomString: users,
    hashString: users,
    matchHash: users,
    revertItem: readers,
    sortItems: blindWriters,
    importItems: writers,
  },
  legacy: {
    authenticate: everybody,
    refresh: everybody,
    readItems: named(readers),
    createItems: named(writers),
    updateItems: named(writers),
    readItem: named(readers),
    updateItem: named(writers),
    deleteItem: named(administrators),
    readServerInfo: users,
    pingServer: everybody,
    readProjectInfo: everybody,
  },
} as const satisfies {
  readonly current: { readonly [Id in keyof CurrentOperations]: Row }
  readonly legacy: { readonly [Id in keyof LegacyOperations]: Row }
}

/** The outcome that the matrix expects. */
export function expectedOutcome(generation: 'current' | 'legacy', id: string, kind: UserKind): Outcome | undefined {
  const rows: { readonly [id: string]: Row } = matrix[generation]
  return rows[id]?.[userKinds.indexOf(kind)]
}

/** The class of an answer; a status that belongs to none stays a number. */
export function outcomeOf({ status }: Answer): Outcome | number {
  if (status >= 200 && status < 300) return 'yes'
  if (status === 401) return 'who'
  return status === 403 || status === 404 ? 'no' : status
}
