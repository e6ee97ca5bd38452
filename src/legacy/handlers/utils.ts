/** Utilities. */

import { offerSecondFactor } from '../../core/accounts/second-factor.ts'
import { hashBy, matchBy, ownUser } from '../../core/accounts/users.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { LegacyUtilsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { json } from '../../http/reply/reply.ts'

const offer = async (ctx: ReadContext & Pick<Context, 'security'>) =>
  json({ data: { '2fa_secret': await offerSecondFactor(ctx) } })

export const utils = {
  async hashString(ctx, { body: { hasher = 'core', string } }) {
    return json({ data: { hash: await hashBy(ctx, hasher, string) } })
  },

  async matchHash(ctx, { body: { hasher = 'core', string, hash } }) {
    return json({ data: { valid: await matchBy(ctx, hasher, string, hash) } })
  },

  async createRandomString(ctx, { body: { length = 32 } }) {
    ownUser(ctx)
    return json({ data: { random: randomWord(ctx, length) } })
  },

  readTfaSecret: offer,
  createTfaSecret: offer,
} satisfies Handlers<LegacyUtilsOperations>

/** Letters and digits only; drops the two other characters of the source alphabet. */
function randomWord(ctx: Pick<Context, 'ids'>, length: number): string {
  let word = ''
  while (word.length < length) word += ctx.ids.token(length).replaceAll(/[^A-Za-z0-9]/g, '')
  return word.slice(0, length)
}
