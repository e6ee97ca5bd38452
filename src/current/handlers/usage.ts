/** `/usage`: which clients use what. */
import { readUsage } from '../../core/usage/read-usage.ts'
import type { CurrentUsageOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { json } from '../../http/reply/reply.ts'

export const usage = {
  async readUsage(ctx, { query }) {
    const { client = null, generation = null, operation = null, limit = 1000 } = query
    const uses = await readUsage(ctx, { client, generation, operation, limit })
    const data = uses.map(({ first, last, successors, ...use }) => ({
      ...use,
      first_call: first,
      last_call: last,
      successors: successors.map((each) => ({ ...each })),
    }))
    return json({ data: data as never })
  },
} satisfies Handlers<CurrentUsageOperations>
