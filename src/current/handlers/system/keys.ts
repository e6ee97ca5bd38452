/** `/keys`: API keys of users. */
import { createKey, readKeys, revokeKey, updateKey } from '../../../core/access/api-keys.ts'
import type { CurrentKeysOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { empty, json } from '../../../http/reply/reply.ts'

export const keys = {
  async readKeys(ctx, { query }) {
    return json({ data: await readKeys(ctx, query.user ?? null) })
  },

  async createKey(ctx, { body }) {
    return { ...json({ data: await createKey(ctx, body) }), hasSecret: true as const }
  },

  async updateKey(ctx, { path, body }) {
    return json({ data: await updateKey(ctx, path.id, body) })
  },

  async deleteKey(ctx, { path }) {
    await revokeKey(ctx, path.id)
    return empty()
  },
} satisfies Handlers<CurrentKeysOperations>
