/** `/users`: the people and programs that ask. */
import { ownUser, readOwnUser, usersCollection } from '../../core/users.ts'
import type { CurrentUsersOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { jsonText } from '../../http/reply.ts'
import { visiblePlace } from '../collections.ts'
import { parseQuery } from '../query.ts'
import { serializeItem } from '../serialize.ts'

export const users = {
  async readMe(ctx, { query }) {
    const id = ownUser(ctx)
    const place = visiblePlace(ctx)
    const isReadable = place.view.byCore.has(usersCollection)
    const found = isReadable ? await readOwnUser(ctx, parseQuery(query, usersCollection, place)) : null
    return jsonText(serializeItem(found ?? JSON.stringify({ id })))
  },
} satisfies Handlers<CurrentUsersOperations>
