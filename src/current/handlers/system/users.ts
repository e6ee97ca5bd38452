/** `/users`: people and programs that can log in. */
import { acceptInvitation, inviteUsers } from '../../../core/accounts/invitations.ts'
import { registerUser, verifyRegistration } from '../../../core/accounts/registration.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  generateSecondFactor,
  resetSecondFactor,
} from '../../../core/accounts/second-factor.ts'
import { ownUser, readOwnUser, trackPage, usersCollection } from '../../../core/accounts/users.ts'
import type { Actor } from '../../../domain/rights/actor.ts'
import type { CurrentUsersOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { empty, json, jsonText, redirect } from '../../../http/reply/reply.ts'
import { visibleScope } from '../../wire/collections.ts'
import { parseQuery } from '../../wire/query.ts'
import { serializeItem } from '../../wire/serialize.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(usersCollection)

export const users = {
  readUsers: readMany,
  readUser: readOne,
  createUsers: create,
  updateUsers: updateMany,
  updateUser: updateOne,
  deleteUsers: deleteMany,
  deleteUser: deleteOne,

  async readMe(ctx, { query }) {
    if (ctx.actor.kind === 'share') return jsonText(serializeItem(JSON.stringify(toVisitor(ctx.actor))))
    const id = ownUser(ctx)
    const scope = visibleScope(ctx)
    const isReadable = scope.view.byCore.has(usersCollection)
    const user = isReadable ? await readOwnUser(ctx, parseQuery(query, usersCollection, scope)) : null
    return { ...jsonText(serializeItem(user?.json ?? JSON.stringify({ id }))), tag: user?.tag }
  },

  async updateMe(ctx, { path, ...input }) {
    return updateOne(ctx, { ...input, path: { ...path, id: ownUser(ctx) } })
  },

  async trackPage(ctx, { body }) {
    await trackPage(ctx, body.last_page)
    return empty()
  },

  async inviteUsers(ctx, { body }) {
    const emails = typeof body.email === 'string' ? [body.email] : body.email
    await inviteUsers(ctx, { emails, role: body.role, inviteUrl: body.invite_url })
    return empty()
  },

  async acceptInvite(ctx, { body }) {
    await acceptInvitation(ctx, body.token, body.password)
    return empty()
  },

  async createRegistration(ctx, { body }) {
    const { first_name: firstName, last_name: lastName, verification_url: verificationUrl, ...rest } = body
    await registerUser(ctx, { ...rest, firstName, lastName, verificationUrl })
    return empty()
  },

  async runEmailVerification(ctx, { query }) {
    const id = await verifyRegistration(ctx, query.token)
    return redirect(`${ctx.server.address()}/admin/users/${id}`)
  },

  async createTfaSecret(ctx, { body }) {
    const { secret, url } = await generateSecondFactor(ctx, body.password)
    return json({ data: { secret, otpauth_url: url } })
  },

  async enableTfa(ctx, { body }) {
    await enableSecondFactor(ctx, body.secret, body.otp)
    return empty()
  },

  async disableTfa(ctx, { body }) {
    await disableSecondFactor(ctx, body.otp)
    return empty()
  },

  async disableUserTfa(ctx, { path }) {
    await resetSecondFactor(ctx, path.id)
    return empty()
  },
} satisfies Handlers<CurrentUsersOperations>

/** The visitor of a share is no user and has the permissions of the share. */
const toVisitor = ({ share, role }: Extract<Actor, { readonly kind: 'share' }>) => ({
  share,
  role: { id: role, admin_access: false, app_access: false },
})
