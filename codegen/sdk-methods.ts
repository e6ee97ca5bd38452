/** Names of the SDK's methods: `client.users.invite` is the operation `inviteUsers`. Lists of records have the names of `Items`. */
import type { Generation } from './model.ts'
import { literal } from './sample-parts.ts'

/** Tags that the client has by itself, through the methods of another tag, or not at all: SCIM is for identity providers. */
export const tagsWithoutMethods: ReadonlySet<string> = new Set(['items', 'batch', 'graphql', 'mcp', 'uploads', 'scim'])

/** Operations that the SDK has methods of its own for. */
export const operationsWithoutMethods: ReadonlySet<string> = new Set(['importFile'])

/** Lists whose writes are operations of their own form. An update of a file answers with a list. */
export const readOnlyLists: { readonly [Name in Generation]: ReadonlySet<string> } = {
  current: new Set(),
  legacy: new Set(['files']),
}

type Names = { readonly [operationId: string]: string }

/** Methods, within the object of their tag, that have another name than their operation; in both generations. */
const sharedNames: Names = {
  createActivityComment: 'createComment',
  updateActivityComment: 'updateComment',
  deleteActivityComment: 'deleteComment',
  readAsset: 'read',
  readCollections: 'read',
  readCollection: 'readOne',
  updateCollection: 'update',
  deleteCollection: 'delete',
  readFields: 'readAll',
  readCollectionFields: 'read',
  readField: 'readOne',
  updateField: 'update',
  deleteField: 'delete',
  readMyPermissions: 'readMine',
  readRelation: 'readOne',
  updateRelation: 'update',
  deleteRelation: 'delete',
  pingServer: 'ping',
  readServerInfo: 'readInfo',
  inviteUsers: 'invite',
  hashString: 'hash',
}

const currentNames: Names = {
  revertActivity: 'revert',
  readNamedAsset: 'readNamed',
  readFlows: 'read',
  refreshSession: 'refresh',
  createCollections: 'create',
  updateCollections: 'updateMany',
  deleteCollections: 'deleteMany',
  createFields: 'create',
  updateFields: 'updateMany',
  deleteFields: 'deleteMany',
  readKeys: 'read',
  readSyncKeys: 'read',
  readSyncKey: 'readOne',
  createSyncKey: 'create',
  deleteSyncKey: 'delete',
  createKey: 'create',
  updateKey: 'update',
  deleteKey: 'delete',
  explainPermissions: 'explain',
  readCollectionPermissions: 'readMineOf',
  readItemPermissions: 'readMineOfItem',
  readPolicyGlobals: 'readGlobals',
  readRelations: 'readAll',
  readCollectionRelations: 'read',
  createRelation: 'create',
  readMyRoles: 'readMine',
  readSchemaSnapshot: 'snapshot',
  diffSchema: 'diff',
  applySchema: 'apply',
  readConfiguration: 'read',
  compareConfiguration: 'compare',
  applyConfiguration: 'apply',
  readUsage: 'read',
  readServerReadiness: 'readReadiness',
  readServerHealth: 'readHealth',
  readAsyncApiSpec: 'readAsyncApi',
  readOpenApiSpec: 'readOpenApi',
  readGraphqlSpec: 'readGraphql',
  readScopedGraphqlSpec: 'readGraphqlOf',
  authenticateShare: 'authenticate',
  inviteToShare: 'invite',
  readShareInfo: 'readInfo',
  createRegistration: 'register',
  runEmailVerification: 'verifyEmail',
  disableUserTfa: 'disableTfaOf',
  sortItems: 'sort',
  revertItem: 'revert',
  importItems: 'import',
  importCollections: 'importBatch',
  exportItems: 'export',
  compareVersion: 'compare',
  promoteVersion: 'promote',
  saveVersion: 'save',
  rotateWebhookSecret: 'rotateSecret',
  readWebhookDeliveries: 'readDeliveries',
  replayWebhook: 'replay',
  replayWebhookDelivery: 'replayDelivery',
}

const legacyNames: Names = {
  createFile: 'upload',
  updateFile: 'update',
  updateFiles: 'updateEach',
  deleteFile: 'delete',
  readFileRevisions: 'readRevisions',
  readFileRevision: 'readRevision',
  revertFile: 'revert',
  createCollection: 'create',
  createField: 'create',
  updateFields: 'updateEach',
  readRelations: 'read',
  createRelations: 'create',
  readUserRevisions: 'readRevisions',
  readUserRevision: 'readRevision',
  readMyCollectionPermissions: 'readMineOf',
  readSeenActivity: 'readSeen',
  readSeenActivityEntry: 'readSeenEntry',
  readUserRoles: 'readOfUsers',
  readUserRole: 'readOfUser',
  readSettings: 'read',
  readSetting: 'readOne',
  createSettings: 'create',
  updateSetting: 'update',
  updateSettings: 'updateEach',
  deleteSetting: 'delete',
  readSettingFields: 'readFields',
  authenticate: 'login',
  sendMail: 'send',
  runUpdate: 'update',
  readProjects: 'read',
  createProject: 'create',
  installProject: 'install',
  deleteProject: 'delete',
  readInfo: 'readNamedProject',
  readProjectInfo: 'readProject',
  readProjectInterfaces: 'readInterfacesOfProject',
  readProjectLayouts: 'readLayoutsOfProject',
  readProjectModules: 'readModulesOfProject',
  readProjectPages: 'readPagesOfProject',
  readCustomEndpoint: 'readEndpoint',
}

const names: { readonly [Name in Generation]: Names } = {
  current: { ...sharedNames, ...currentNames },
  legacy: { ...sharedNames, ...legacyNames },
}

export const methodName = (generation: Generation, operationId: string): string =>
  names[generation][operationId] ?? operationId

/** A call on the client itself or on one of its resources, from the example of the body or of the query. */
type ClientCall = {
  readonly resource?: string
  readonly text: (given: { readonly [name: string]: unknown }) => string
}

const login: ClientCall = { text: ({ email, password }) => `login(${literal({ email, password })})` }
const graphql = (isSystem: boolean): ClientCall => ({
  text: ({ query, variables }) => {
    // In a query string, variables are text.
    const given = typeof variables === 'object' ? literal(variables) : isSystem ? 'null' : null
    const parts = [literal(query), ...(given === null ? [] : [given]), ...(isSystem ? ['{ system: true }'] : [])]
    return `graphql(${parts.join(', ')})`
  },
})

/** Operations that the client has by itself, and uploads. */
export const clientCalls: { readonly [Name in Generation]: { readonly [operationId: string]: ClientCall } } = {
  current: {
    login,
    refreshSession: { text: () => 'refresh()' },
    logout: { text: () => 'logout()' },
    runGraphql: graphql(false),
    runGraphqlQuery: graphql(false),
    runSystemGraphql: graphql(true),
    runSystemGraphqlQuery: graphql(true),
    createFiles: { resource: 'files', text: () => "files.upload(file, { title: 'Notes' })" },
    createUpload: { resource: 'files', text: () => "files.uploadResumable(file, { title: 'Notes' })" },
    importFile: {
      resource: 'files',
      text: ({ url, data }) =>
        `files.import(${[url, ...(data === undefined ? [] : [data])].map((each) => literal(each)).join(', ')})`,
    },
  },
  legacy: { authenticate: login, refresh: { text: () => 'refresh()' } },
}
