/** `/flows`, `/operations` and `/extensions`, which are always empty; tools of the platform read them. */
import { ownUser } from '../../../core/accounts/users.ts'
import type { Context } from '../../../domain/ports/context.ts'
import type { CurrentFlowsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { json } from '../../../http/reply/reply.ts'

export const flows = {
  readFlows: nothing,
  readOperations: nothing,
  readExtensions: nothing,
} satisfies Handlers<CurrentFlowsOperations>

/** For users only, as other lists of the application. */
async function nothing(ctx: Pick<Context, 'actor'>) {
  ownUser(ctx)
  return json({ data: [] as never[] })
}
