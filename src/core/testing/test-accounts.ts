/** The world of `test-rights.ts` with an outbox, an adjustable clock and valid passwords. */
import type { Context } from '../../domain/ports/context.ts'
import type { Letter, MailMessage } from '../../domain/ports/mail.ts'
import { hashPassword } from '../../tokens/password.ts'
import { testAccounts } from './test-context.ts'
import { chief, chiefRole, editor, editorRole, openRightsWorld, type RightsWorld } from './test-rights.ts'

/** The password of all users in this world. */
export const password = 'correct horse'

export type AccountsWorld = Omit<RightsWorld, 'as'> & {
  readonly mails: MailMessage[]
  readonly letters: Letter[]
  /** The token of the last mail. */
  readonly lastToken: () => string
  readonly pass: (milliseconds: number) => void
  readonly now: () => Date
  readonly as: (user: string, role: string) => Promise<Context>
  /** A caller without a token. */
  readonly stranger: () => Promise<Context>
}

export async function openAccountsWorld(): Promise<AccountsWorld> {
  const world = await openRightsWorld()
  const mails: MailMessage[] = []
  const letters: Letter[] = []
  let now = new Date()
  const complete = (ctx: Context): Context => ({
    ...ctx,
    clock: () => now,
    mail: {
      prepare: () => Promise.resolve(),
      verify: () => Promise.resolve(),
      send: (message) => void mails.push(message),
      sendLetter: (letter) => void letters.push(letter),
    },
    security: { ...ctx.security, refreshTtl: 86_400_000, accessTtl: 900_000, accounts: testAccounts },
  })
  const as = async (user: string, role: string): Promise<Context> => complete(await world.as(user, role))
  return {
    ...world,
    mails,
    letters,
    lastToken: () => new URL(mails.at(-1)?.data.url ?? '').searchParams.get('token') ?? '',
    pass: (milliseconds) => void (now = new Date(now.getTime() + milliseconds)),
    now: () => now,
    as,
    async stranger() {
      const { actor: _, ...ctx } = await as(editor, editorRole)
      const access = { admin: false, app: false, policies: [], rules: [], fingerprint: 'nobody' }
      return { ...ctx, actor: { kind: 'public', access } }
    },
    async reset() {
      await world.reset()
      mails.length = 0
      letters.length = 0
      now = new Date()
      const hash = await hashPassword(password, (await world.as(chief, chiefRole)).security.hash)
      await world.run('truncate platform_activity, platform_revisions cascade')
      await world.run(`update platform_users set password = '${hash}'`)
      await world.run(`delete from platform_settings
        where id > (select first.id from (select min(id) as id from platform_settings) first)`)
      await world.run(`update platform_settings set project_name = 'Test', auth_login_attempts = 25,
        auth_password_policy = null, public_registration = false, public_registration_verify_email = true,
        public_registration_role = null, public_registration_email_filter = null`)
    },
  }
}
