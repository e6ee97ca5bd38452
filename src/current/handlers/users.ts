/** `/users`: the people and programs that ask. */
import { ownUser, readOwnUser, trackPage, usersCollection } from '../../core/users.ts'
import type { Actor } from '../../domain/actor.ts'
import type { CurrentUsersOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { empty, jsonText } from '../../http/reply.ts'
import { systemHandlers } from '../collection-handlers.ts'
import { visiblePlace } from '../collections.ts'
import { parseQuery } from '../query.ts'
import { serializeItem } from '../serialize.ts'

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
    const place = visiblePlace(ctx)
    const isReadable = place.view.byCore.has(usersCollection)
    const found = isReadable ? await readOwnUser(ctx, parseQuery(query, usersCollection, place)) : null
    return jsonText(serializeItem(found ?? JSON.stringify({ id })))
  },

  async updateMe(ctx, { path, ...input }) {
    return updateOne(ctx, { ...input, path: { ...path, id: ownUser(ctx) } })
  },

  async trackPage(ctx, { body }) {
    await trackPage(ctx, body.last_page)
    return empty()
  },
} satisfies Handlers<CurrentUsersOperations>

/** Whoever has come by a share is no user, and has what rights the share gives. */
const toVisitor = ({ share, role }: Extract<Actor, { readonly kind: 'share' }>) => ({
  share,
  role: { id: role, admin_access: false, app_access: false },
})
