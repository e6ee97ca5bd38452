import { acceptInvitation, inviteUsers } from '../../core/accounts/invitations.ts'
import { activateSecondFactor, withOfferedSecret } from '../../core/accounts/second-factor.ts'
import { ownUser, trackPage, usersCollection } from '../../core/accounts/users.ts'
import { mask } from '../../core/rows/hashed-values.ts'
import { isRecord } from '../../domain/is-record.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { LegacyUsersOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { jsonText } from '../../http/reply/reply.ts'
import { asDrafts } from '../model/new-users.ts'
import { asReader, assertSelf, ownNumber, readUser, readUsers } from '../views/users.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteOne, ...history } = systemHandlers(usersCollection)

type Update = Parameters<typeof updateOne>[1]

/** The page of a user sends the secret that it was offered as a field of the caller. */
async function updateWithSecret(ctx: Context, input: Update) {
  if (!isRecord(input.body) || !isUser(ctx)) return updateOne(ctx, input)
  const { '2fa_secret': secret, ...body } = input.body
  if (typeof secret !== 'string' || secret === mask) return updateOne(ctx, input)
  if (input.path.id !== (await ownNumber(ctx))) return updateOne(ctx, input)
  return withOfferedSecret(ctx, secret, (inner) => updateOne(inner, { ...input, body }))
}

const isUser = ({ actor }: Context): boolean => actor.kind === 'user'

export const users = {
  readUsers: readMany,
  readUser: readOne,
  updateUsers: updateMany,
  deleteUser: deleteOne,
  readUserRevisions: history.readRevisions,
  readUserRevision: history.readRevision,

  updateUser: updateWithSecret,

  async createUsers(ctx, { body, ...input }) {
    return create(ctx, { ...input, body: asDrafts(ctx, body) })
  },

  async updateMe(ctx, { path, ...input }) {
    return updateWithSecret(ctx, { ...input, path: { ...path, id: await ownNumber(ctx) } })
  },

  async readMe(ctx, { path, ...input }) {
    return readOne(asReader(ctx), { ...input, path: { ...path, id: await ownNumber(ctx) } })
  },

  async inviteUsers(ctx, { body }) {
    const emails = typeof body.email === 'string' ? [body.email] : body.email
    await inviteUsers(ctx, { emails, role: null, inviteUrl: undefined })
    return jsonText(await readUsers(ctx, emails))
  },

  async acceptInvite(ctx, { path }) {
    const { id } = await acceptInvitation(ctx, path.token)
    return jsonText(await readUser(ctx, id))
  },

  async trackPage(ctx, { path, body }) {
    await assertSelf(ctx, path.id)
    await trackPage(ctx, body.last_page)
    return jsonText(await readUser(ctx, ownUser(ctx)))
  },

  async enableTfa(ctx, { path, body }) {
    await assertSelf(ctx, path.id)
    await activateSecondFactor(ctx, body['2fa_secret'], body.otp)
    return jsonText(await readUser(ctx, ownUser(ctx)))
  },
} satisfies Handlers<LegacyUsersOperations>
