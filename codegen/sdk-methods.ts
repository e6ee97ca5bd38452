/** Names of the SDK's methods: `client.users.invite` is the operation `inviteUsers`. Lists of records have the names of `Items`. */
import type { Generation } from './model.ts'
import { literal } from './sample-parts.ts'

/** Tags that the client has by itself, through the methods of another tag, or not at all: SCIM is for identity providers. */
export const tagsWithoutMethods: ReadonlySet<string> = new Set(['items', 'batch', 'graphql', 'mcp', 'uploads', 'scim'])

/** Operations that the SDK has methods of its own for. */
export const operationsWithoutMethods: ReadonlySet<string> = new Set([
  'importFile',
  // Forms of identity providers, and metadata for them.
  'finishProviderLoginByForm',
  'finishSamlLogin',
  'readProviderMetadata',
])

/** Lists whose writes are operations of their own form. An update of a file answers with a list. */
export const readOnlyLists: { readonly [Name in Generation]: ReadonlySet<string> } = {
  current: new Set(),
  legacy: new Set(['files']),
}

type Names = { readonly [operationId: string]: string }

/** The method of an operation, within the object of its tag. */
const currentNames: Names = {
  createActivityComment: 'createComment',
  updateActivityComment: 'updateComment',
  deleteActivityComment: 'deleteComment',
  revertActivity: 'revert',
  readAsset: 'read',
  readNamedAsset: 'readNamed',
  downloadFilesZip: 'downloadFilesZip',
  downloadFolderZip: 'downloadFolderZip',
  readFlows: 'read',
  readOperations: 'readOperations',
  readExtensions: 'readExtensions',
  readProviders: 'readProviders',
  login: 'login',
  beginProviderLogin: 'beginProviderLogin',
  finishProviderLogin: 'finishProviderLogin',
  loginByProvider: 'loginByProvider',
  logout: 'logout',
  refreshSession: 'refresh',
  requestPasswordReset: 'requestPasswordReset',
  resetPassword: 'resetPassword',
  readCollections: 'read',
  readCollection: 'readOne',
  createCollections: 'create',
  updateCollection: 'update',
  updateCollections: 'updateMany',
  deleteCollection: 'delete',
  deleteCollections: 'deleteMany',
  readFields: 'readAll',
  readCollectionFields: 'read',
  readField: 'readOne',
  createFields: 'create',
  updateField: 'update',
  updateFields: 'updateMany',
  deleteField: 'delete',
  deleteFields: 'deleteMany',
  explainPermissions: 'explain',
  readMyPermissions: 'readMine',
  readCollectionPermissions: 'readMineOf',
  readItemPermissions: 'readMineOfItem',
  readPolicyGlobals: 'readGlobals',
  readRelations: 'readAll',
  readCollectionRelations: 'read',
  readRelation: 'readOne',
  createRelation: 'create',
  updateRelation: 'update',
  deleteRelation: 'delete',
  readMyRoles: 'readMine',
  readSchemaSnapshot: 'snapshot',
  diffSchema: 'diff',
  applySchema: 'apply',
  readConfiguration: 'read',
  compareConfiguration: 'compare',
  applyConfiguration: 'apply',
  readUsage: 'read',
  createFirstAdministrator: 'createFirstAdministrator',
  readServerReadiness: 'readReadiness',
  pingServer: 'ping',
  readServerInfo: 'readInfo',
  readServerHealth: 'readHealth',
  readOpenApiSpec: 'readOpenApi',
  readGraphqlSpec: 'readGraphql',
  readScopedGraphqlSpec: 'readGraphqlOf',
  authenticateShare: 'authenticate',
  inviteToShare: 'invite',
  readShareInfo: 'readInfo',
  readMe: 'readMe',
  updateMe: 'updateMe',
  trackPage: 'trackPage',
  inviteUsers: 'invite',
  acceptInvite: 'acceptInvite',
  createRegistration: 'register',
  runEmailVerification: 'verifyEmail',
  createTfaSecret: 'createTfaSecret',
  enableTfa: 'enableTfa',
  disableTfa: 'disableTfa',
  disableUserTfa: 'disableTfaOf',
  clearCache: 'clearCache',
  createRandomString: 'createRandomString',
  hashString: 'hash',
  matchHash: 'matchHash',
  sortItems: 'sort',
  revertItem: 'revert',
  importItems: 'import',
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
  readCollections: 'read',
  readCollection: 'readOne',
  createCollection: 'create',
  updateCollection: 'update',
  deleteCollection: 'delete',
  readFields: 'readAll',
  readCollectionFields: 'read',
  readField: 'readOne',
  createField: 'create',
  updateField: 'update',
  updateFields: 'updateEach',
  deleteField: 'delete',
  readRelations: 'read',
  readRelation: 'readOne',
  createRelations: 'create',
  updateRelation: 'update',
  deleteRelation: 'delete',
  readMe: 'readMe',
  updateMe: 'updateMe',
  inviteUsers: 'invite',
  acceptInvite: 'acceptInvite',
  trackPage: 'trackPage',
  enableTfa: 'enableTfa',
  readUserRevisions: 'readRevisions',
  readUserRevision: 'readRevision',
  readMyPermissions: 'readMine',
  readMyCollectionPermissions: 'readMineOf',
  createActivityComment: 'createComment',
  updateActivityComment: 'updateComment',
  deleteActivityComment: 'deleteComment',
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
  readAsset: 'read',
  readOriginal: 'readOriginal',
  authenticate: 'login',
  refresh: 'refresh',
  logout: 'logout',
  readProviders: 'readProviders',
  beginProviderLogin: 'beginProviderLogin',
  loginByProvider: 'loginByProvider',
  finishProviderLogin: 'finishProviderLogin',
  createAccessToken: 'createAccessToken',
  requestPasswordReset: 'requestPasswordReset',
  resetPassword: 'resetPassword',
  resetToRandomPassword: 'resetToRandomPassword',
  sendMail: 'send',
  hashString: 'hash',
  matchHash: 'matchHash',
  createRandomString: 'createRandomString',
  readTfaSecret: 'readTfaSecret',
  createTfaSecret: 'createTfaSecret',
  readTypes: 'readTypes',
  runUpdate: 'update',
  readProjects: 'read',
  createProject: 'create',
  installProject: 'install',
  deleteProject: 'delete',
  pingServer: 'ping',
  readServerInfo: 'readInfo',
  readInfo: 'readNamedProject',
  readProjectInfo: 'readProject',
  readInterfaces: 'readInterfaces',
  readLayouts: 'readLayouts',
  readModules: 'readModules',
  readPages: 'readPages',
  readProjectInterfaces: 'readInterfacesOfProject',
  readProjectLayouts: 'readLayoutsOfProject',
  readProjectModules: 'readModulesOfProject',
  readProjectPages: 'readPagesOfProject',
  readCustomEndpoint: 'readEndpoint',
}

/** The method of an operation, within the object of its tag. */
export const methodNames: { readonly [Name in Generation]: Names } = { current: currentNames, legacy: legacyNames }

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
