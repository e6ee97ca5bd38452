/** Mutation fields that exist only in the system schema. */

import { Readable } from 'node:stream'
import { ownUser, usersCollection } from '../../core/accounts/users.ts'
import { writeAlone } from '../../core/batch/received.ts'
import { fileOf, receiveFromUrl } from '../../core/files/import-file.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import {
  createActivityComment,
  deleteActivityComment,
  updateActivityComment,
} from '../../core/history/activity-comments.ts'
import { writeItems } from '../../core/items/items.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
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
import { readInteger } from '../wire/lists.ts'
import { parseChanges, parseUpdate } from '../wire/mutation.ts'
import { modelMutations } from './model-mutations.ts'
import {
  answerOf,
  bodiesOf,
  bodyOf,
  documentOf,
  type MutationRuns,
  type Resolving,
  rows,
  toInput,
  value,
} from './named.ts'
import { answerWritten } from './roots.ts'

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
const written = async (on: Resolving, opened: OpenedCollection, work: () => Promise<readonly Key[]>): Promise<Answer> =>
  rows(await answerWritten({ ...on, opened }, 'one', work))

export const mutations = {
  auth_login: async (on, { provider, ...args }) => {
    if (provider == null) return answerOf(on, auth.login(on.rest, toInput(on, { body: bodyOf('LoginInput', args) })))
    const { email: identifier, ...rest } = args
    const input = { path: { provider }, body: bodyOf('ProviderLoginInput', { ...rest, identifier }) }
    return answerOf(on, auth.loginByProvider(on.rest, toInput(on, input)))
  },
  auth_refresh: (on, args) =>
    answerOf(on, auth.refreshSession(on.rest, toInput(on, { body: bodyOf('RefreshInput', args) }))),
  auth_logout: (on, args) => answerOf(on, auth.logout(on.rest, toInput(on, { body: bodyOf('RefreshInput', args) }))),
  auth_password_request: (on, args) =>
    answerOf(on, auth.requestPasswordReset(on.rest, toInput(on, { body: bodyOf('PasswordRequestInput', args) }))),
  auth_password_reset: (on, args) =>
    answerOf(on, auth.resetPassword(on.rest, toInput(on, { body: bodyOf('PasswordByTokenInput', args) }))),

  users_me_tfa_generate: (on, args) =>
    answerOf(on, users.createTfaSecret(on.rest, toInput(on, { body: bodyOf('TfaGenerateInput', args) }))),
  users_me_tfa_enable: (on, args) =>
    answerOf(on, users.enableTfa(on.rest, toInput(on, { body: bodyOf('TfaEnableInput', args) }))),
  users_me_tfa_disable: (on, args) =>
    answerOf(on, users.disableTfa(on.rest, toInput(on, { body: bodyOf('TfaDisableInput', args) }))),
  create_keys_item: (on, { data }) =>
    answerOf(on, keys.createKey(on.rest, toInput(on, { body: bodyOf('ApiKeyInput', data) }))),
  update_keys_item: (on, { id, data }) =>
    answerOf(on, keys.updateKey(on.rest, toInput(on, { path: { id }, body: bodyOf('ApiKeyChanges', data) }))),
  delete_keys_item: (on, path) => answerOf(on, keys.deleteKey(on.rest, toInput(on, { path }))),
  users_invite: (on, args) =>
    answerOf(on, users.inviteUsers(on.rest, toInput(on, { body: bodyOf('InviteInput', args) }))),
  users_invite_accept: (on, args) =>
    answerOf(on, users.acceptInvite(on.rest, toInput(on, { body: bodyOf('PasswordByTokenInput', args) }))),
  users_register: (on, args) =>
    answerOf(on, users.createRegistration(on.rest, toInput(on, { body: bodyOf('RegisterInput', args) }))),
  users_register_verify: async (on, query) => {
    await users.runEmailVerification(on.rest, toInput(on, { query }))
    return value(true)
  },
  users_me_track_page: (on, args) =>
    answerOf(on, users.trackPage(on.rest, toInput(on, { body: bodyOf('PageInput', args) }))),
  users_tfa_disable: (on, path) => answerOf(on, users.disableUserTfa(on.rest, toInput(on, { path }))),
  async update_users_me(on, { data }) {
    const opened = openSystemCollection(on.ctx, usersCollection, 'update')
    const mutation = parseUpdate(data ?? {}, ownUser(on.ctx), opened)
    return written(on, opened, () => writeItems(on.ctx, mutation))
  },

  utils_random_string: async (on, { length }) => {
    const query = { length: readInteger(length, 'length', 1) ?? 32 }
    if (length != null && length > longestRandom) refuseQuery('length', `at most ${longestRandom}`, length)
    return answerOf(on, utils.createRandomString(on.rest, toInput(on, { query })))
  },
  utils_hash_generate: (on, args) =>
    answerOf(on, utils.hashString(on.rest, toInput(on, { body: bodyOf('HashInput', args) }))),
  utils_hash_verify: (on, args) =>
    answerOf(on, utils.matchHash(on.rest, toInput(on, { body: bodyOf('HashMatchInput', args) }))),
  utils_sort: async (on, { collection, item, to }) => {
    const body = bodyOf('SortInput', { item, to })
    return answerOf(on, utils.sortItems(on.rest, toInput(on, { path: { collection }, body })))
  },
  activity_revert: async (on, { activity: ids }) => {
    const body = bodyOf('ActivityRevert', { activity: ids })
    return answerOf(on, activity.revertActivity(on.rest, toInput(on, { body })))
  },
  utils_revert: (on, path) => answerOf(on, utils.revertItem(on.rest, toInput(on, { path }))),
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
    return answerOf(on, utils.importCollections(on.rest, toInput(on, { query, body })))
  },
  utils_export: async (on, { collection, ...args }) => {
    const body = bodyOf('ExportInput', { ...args, query: args.query ?? {} })
    return answerOf(on, utils.exportItems(on.rest, toInput(on, { path: { collection }, body })))
  },
  server_setup: (on, args) =>
    answerOf(on, server.createFirstAdministrator(on.rest, toInput(on, { body: bodyOf('FirstAdministrator', args) }))),

  async import_file(on, { url, data }) {
    const replaced = await fileOf(on.ctx, (data as { readonly id?: unknown }).id)
    const opened = openSystemCollection(on.ctx, filesCollection, replaced === null ? 'create' : 'update')
    const changes = parseChanges(data, opened)
    bodyOf('FileImport', { url })
    return written(on, opened, () => writeAlone(on.ctx, receiveFromUrl(on.ctx, url, { changes, replaced })))
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
    return answerOf(on, versions.saveVersion(on.rest, toInput(on, { path: { id }, body })))
  },
  versions_promote: async (on, { id, ...args }) => {
    const body = bodyOf('PromotionInput', args)
    return answerOf(on, versions.promoteVersion(on.rest, toInput(on, { path: { id }, body })))
  },
  webhooks_rotate_secret: async (on, { id, ...args }) => {
    const body = bodyOf('WebhookRotation', args)
    return answerOf(on, webhooks.rotateWebhookSecret(on.rest, toInput(on, { path: { id: String(id) }, body })))
  },
  webhooks_replay: (on, { id }) =>
    answerOf(on, webhooks.replayWebhook(on.rest, toInput(on, { path: { id: String(id) } }))),
  webhooks_deliveries_replay: (on, { id }) =>
    answerOf(on, webhooks.replayWebhookDelivery(on.rest, toInput(on, { path: { id: id as unknown as string } }))),
  shares_auth: (on, args) =>
    answerOf(on, shares.authenticateShare(on.rest, toInput(on, { body: bodyOf('ShareLoginInput', args) }))),
  shares_invite: (on, args) =>
    answerOf(on, shares.inviteToShare(on.rest, toInput(on, { body: bodyOf('ShareInviteInput', args) }))),
} satisfies MutationRuns
