/** Mutation fields that exist only in the system schema. */

import { Readable } from 'node:stream'
import { ownUser, usersCollection } from '../../core/accounts/users.ts'
import { writeAlone } from '../../core/batch/received.ts'
import { receiveFromUrl } from '../../core/files/import-file.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import {
  createActivityComment,
  deleteActivityComment,
  updateActivityComment,
} from '../../core/history/activity-comments.ts'
import { writeItems } from '../../core/items/items.ts'
import { readBack } from '../../core/rows/read-items.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Part } from '../../domain/ports/uploads.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Answer } from '../../graphql/execute.ts'
import { auth } from '../handlers/auth.ts'
import { server } from '../handlers/server.ts'
import { activity } from '../handlers/system/activity.ts'
import { keys } from '../handlers/system/keys.ts'
import { shares } from '../handlers/system/shares.ts'
import { users } from '../handlers/system/users.ts'
import { versions } from '../handlers/system/versions.ts'
import { webhooks } from '../handlers/system/webhooks.ts'
import { utils } from '../handlers/utils.ts'
import { type OpenedCollection, openForWork, openSystemCollection } from '../wire/collections.ts'
import { openImport, receiveFile } from '../wire/import.ts'
import { readInteger, refuse } from '../wire/lists.ts'
import { parseChanges, parseUpdate } from '../wire/mutation.ts'
import { modelMutations } from './model-mutations.ts'
import {
  bodiesOf,
  bodyOf,
  dataOf,
  documentOf,
  type MutationRuns,
  type Resolving,
  rows,
  toInput,
  value,
} from './named.ts'
import { toItemQuery } from './query.ts'

/** Rows as the file of a form has them. */
const rowsPart = (rows: readonly unknown[]): Part => ({
  kind: 'file',
  name: 'file',
  filename: 'rows.json',
  type: 'application/json',
  stream: Readable.from([Buffer.from(JSON.stringify(rows))]),
})

/** Maximum length of a random text, as in REST. */
const longestRandom = 500

/** The written item, as far as the caller may read it. */
async function written(
  { ctx, selected }: Resolving,
  opened: OpenedCollection,
  work: () => Promise<readonly Key[]>,
): Promise<Answer> {
  const { collection, readable } = opened
  const query = readable === null ? null : toItemQuery(selected, collection.name, readable)
  const keys = await work()
  if (query === null) return rows('true')
  const result = await readBack(ctx, keys, query)
  return rows(result === null ? 'null' : jsonOf(result).slice(1, -1))
}

export const mutations = {
  auth_login: async (on, { provider, ...args }) => {
    if (provider == null)
      return value(dataOf(on, await auth.login(on.rest, toInput(on, { body: bodyOf('LoginInput', args) }))))
    const { email: identifier, ...rest } = args
    const input = { path: { provider }, body: bodyOf('ProviderLoginInput', { ...rest, identifier }) }
    return value(dataOf(on, await auth.loginByProvider(on.rest, toInput(on, input))))
  },
  auth_refresh: async (on, args) =>
    value(dataOf(on, await auth.refreshSession(on.rest, toInput(on, { body: bodyOf('RefreshInput', args) })))),
  auth_logout: async (on, args) =>
    value(dataOf(on, await auth.logout(on.rest, toInput(on, { body: bodyOf('RefreshInput', args) })))),
  auth_password_request: async (on, args) =>
    value(
      dataOf(on, await auth.requestPasswordReset(on.rest, toInput(on, { body: bodyOf('PasswordRequestInput', args) }))),
    ),
  auth_password_reset: async (on, args) =>
    value(dataOf(on, await auth.resetPassword(on.rest, toInput(on, { body: bodyOf('PasswordByTokenInput', args) })))),

  users_me_tfa_generate: async (on, args) =>
    value(dataOf(on, await users.createTfaSecret(on.rest, toInput(on, { body: bodyOf('TfaGenerateInput', args) })))),
  users_me_tfa_enable: async (on, args) =>
    value(dataOf(on, await users.enableTfa(on.rest, toInput(on, { body: bodyOf('TfaEnableInput', args) })))),
  users_me_tfa_disable: async (on, args) =>
    value(dataOf(on, await users.disableTfa(on.rest, toInput(on, { body: bodyOf('TfaDisableInput', args) })))),
  create_keys_item: async (on, { data }) =>
    value(dataOf(on, await keys.createKey(on.rest, toInput(on, { body: bodyOf('ApiKeyInput', data) })))),
  update_keys_item: async (on, { id, data }) =>
    value(
      dataOf(on, await keys.updateKey(on.rest, toInput(on, { path: { id }, body: bodyOf('ApiKeyChanges', data) }))),
    ),
  delete_keys_item: async (on, path) => value(dataOf(on, await keys.deleteKey(on.rest, toInput(on, { path })))),
  users_invite: async (on, args) =>
    value(dataOf(on, await users.inviteUsers(on.rest, toInput(on, { body: bodyOf('InviteInput', args) })))),
  users_invite_accept: async (on, args) =>
    value(dataOf(on, await users.acceptInvite(on.rest, toInput(on, { body: bodyOf('PasswordByTokenInput', args) })))),
  users_register: async (on, args) =>
    value(dataOf(on, await users.createRegistration(on.rest, toInput(on, { body: bodyOf('RegisterInput', args) })))),
  users_register_verify: async (on, query) => {
    await users.runEmailVerification(on.rest, toInput(on, { query }))
    return value(true)
  },
  users_me_track_page: async (on, args) =>
    value(dataOf(on, await users.trackPage(on.rest, toInput(on, { body: bodyOf('PageInput', args) })))),
  users_tfa_disable: async (on, path) => value(dataOf(on, await users.disableUserTfa(on.rest, toInput(on, { path })))),
  async update_users_me(on, { data }) {
    const opened = openSystemCollection(on.ctx, usersCollection, 'update')
    const mutation = parseUpdate(data ?? {}, ownUser(on.ctx), opened.collection, opened)
    return written(on, opened, () => writeItems(on.ctx, mutation))
  },

  utils_random_string: async (on, { length }) => {
    const query = { length: readInteger(length, 'length', 1) ?? 32 }
    if (length != null && length > longestRandom) refuse('length', `at most ${longestRandom}`, length)
    return value(dataOf(on, await utils.createRandomString(on.rest, toInput(on, { query }))))
  },
  utils_hash_generate: async (on, args) =>
    value(dataOf(on, await utils.hashString(on.rest, toInput(on, { body: bodyOf('HashInput', args) })))),
  utils_hash_verify: async (on, args) =>
    value(dataOf(on, await utils.matchHash(on.rest, toInput(on, { body: bodyOf('HashMatchInput', args) })))),
  utils_sort: async (on, { collection, item, to }) => {
    const body = bodyOf('SortInput', { item, to })
    return value(dataOf(on, await utils.sortItems(on.rest, toInput(on, { path: { collection }, body }))))
  },
  activity_revert: async (on, { activity: ids }) => {
    const body = bodyOf('ActivityRevert', { activity: ids })
    return value(dataOf(on, await activity.revertActivity(on.rest, toInput(on, { body }))))
  },
  utils_revert: async (on, path) => value(dataOf(on, await utils.revertItem(on.rest, toInput(on, { path })))),
  utils_cache_clear: async (on, { system }) => {
    await utils.clearCache(on.rest, toInput(on, { query: system === true ? { system: 'true' as const } : {} }))
    return value(null)
  },
  utils_import: async (on, { collection, rows: inputRows }) => {
    const parts = Readable.from([rowsPart(inputRows)]) as AsyncIterable<Part>
    await writeAlone(on.rest, receiveFile(on.rest, parts, openImport(on.rest, collection)))
    return value(true)
  },
  utils_import_batch: async (on, { collections, mode, dryRun, dangerouslyAllowDelete }) => {
    const body = bodiesOf('ImportBatchEntry', collections.map(documentOf))
    const query = {
      mode: mode ?? 'add',
      dryRun: dryRun ?? false,
      dangerouslyAllowDelete: dangerouslyAllowDelete ?? false,
    }
    return value(dataOf(on, await utils.importCollections(on.rest, toInput(on, { query, body }))))
  },
  utils_export: async (on, { collection, ...args }) => {
    const body = bodyOf('ExportInput', { ...args, query: args.query ?? {} })
    return value(dataOf(on, await utils.exportItems(on.rest, toInput(on, { path: { collection }, body }))))
  },
  server_setup: async (on, args) =>
    value(
      dataOf(
        on,
        await server.createFirstAdministrator(on.rest, toInput(on, { body: bodyOf('FirstAdministrator', args) })),
      ),
    ),

  async import_file(on, { url, data }) {
    const opened = openSystemCollection(on.ctx, filesCollection, 'create')
    const changes = parseChanges(data, opened)
    bodyOf('FileImport', { url })
    return written(on, opened, () => writeAlone(on.ctx, receiveFromUrl(on.ctx, url, changes)))
  },

  ...modelMutations,

  create_comment: async (on, args) => {
    const comment = bodyOf('ActivityCommentInput', args)
    return written(on, openForWork(on.ctx, 'platform_activity'), () => createActivityComment(on.ctx, comment))
  },
  update_comment: async (on, { id, comment }) => {
    bodyOf('ActivityCommentChange', { comment })
    return written(on, openForWork(on.ctx, 'platform_activity'), () => updateActivityComment(on.ctx, id, comment))
  },
  delete_comment: async ({ ctx }, { id }) => {
    await deleteActivityComment(ctx, id)
    return value({ id })
  },

  versions_save: async (on, { id, data }) => {
    const body = data as { readonly [field: string]: unknown }
    return value(dataOf(on, await versions.saveVersion(on.rest, toInput(on, { path: { id }, body }))))
  },
  versions_promote: async (on, { id, ...args }) => {
    const body = bodyOf('PromotionInput', args)
    return value(dataOf(on, await versions.promoteVersion(on.rest, toInput(on, { path: { id }, body }))))
  },
  webhooks_rotate_secret: async (on, { id, ...args }) => {
    const body = bodyOf('WebhookRotation', args)
    return value(
      dataOf(on, await webhooks.rotateWebhookSecret(on.rest, toInput(on, { path: { id: String(id) }, body }))),
    )
  },
  webhooks_replay: async (on, { id }) =>
    value(dataOf(on, await webhooks.replayWebhook(on.rest, toInput(on, { path: { id: String(id) } })))),
  webhooks_deliveries_replay: async (on, { id }) =>
    value(
      dataOf(on, await webhooks.replayWebhookDelivery(on.rest, toInput(on, { path: { id: id as unknown as string } }))),
    ),
  shares_auth: async (on, args) =>
    value(dataOf(on, await shares.authenticateShare(on.rest, toInput(on, { body: bodyOf('ShareLoginInput', args) })))),
  shares_invite: async (on, args) =>
    value(dataOf(on, await shares.inviteToShare(on.rest, toInput(on, { body: bodyOf('ShareInviteInput', args) })))),
} satisfies MutationRuns
