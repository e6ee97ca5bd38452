/** Letters: mails that users write to users and addresses. */
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { LetterText } from '../../domain/ports/mail.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type Correspondent, findCorrespondents, findOwnAddress } from '../../sql/statements/users.ts'
import { areVisible } from '../rows/has-row.ts'
import { systemValue } from '../rows/system-values.ts'
import { countMails } from './attempts.ts'
import { fillPlaceholders } from './placeholders.ts'
import { ownUser, usersCollection } from './users.ts'

export type Recipient = { readonly user: number } | { readonly address: string; readonly name: string | null }

export type LetterDraft = {
  readonly to: readonly Recipient[]
  readonly subject: string
  readonly body: string
  readonly isHtml: boolean
  /** Values of the placeholders in the body. */
  readonly data: { readonly [name: string]: unknown }
  /** Whether the project is the sender instead of the caller; for administrators. */
  readonly asProject: boolean
}

/**
 * Sends the letter to each recipient. Only for users. Throws `unprocessable` if a recipient is not an active user whom
 * the caller may read, `requests-exceeded` beyond the limits of the caller and of each recipient, and `mail-failed` if
 * the mail server cannot be used.
 */
export async function sendLetter(ctx: Context, draft: LetterDraft): Promise<void> {
  const user = ownUser(ctx)
  if (draft.asProject && !(ctx.actor.kind === 'user' && ctx.actor.access.admin)) {
    throw new TandemError({ kind: 'forbidden', reason: 'Only administrators may write in the name of the project' })
  }
  const mailboxes = await mailboxesOf(ctx, draft.to)
  const { subject, isHtml } = draft
  const body = fillPlaceholders(draft.body, draft.data, isHtml)
  const author = draft.asProject ? null : await authorOf(ctx, user)
  const text: LetterText = { subject, body, isHtml, author }
  await countMails(ctx, 'letter', [...mailboxes.keys()])
  await ctx.mail.verify()
  for (const [to, name] of mailboxes) ctx.mail.sendLetter({ to, name, text })
}

/** Addresses in stored spelling, each once, with their display names. */
async function mailboxesOf(ctx: ReadContext, to: readonly Recipient[]): Promise<ReadonlyMap<string, string | null>> {
  const users = await findUsers(ctx, [...new Set(to.flatMap((each) => ('user' in each ? [each.user] : [])))])
  const input = to.flatMap((each): readonly (readonly [string, string | null])[] =>
    'user' in each ? [] : [[String(systemValue(usersCollection, 'email', each.address)), each.name]],
  )
  return new Map([...input, ...users.map((each) => [each.email, nameOf(each)] as const)])
}

async function findUsers(ctx: ReadContext, numbers: readonly number[]): Promise<readonly Correspondent[]> {
  if (numbers.length === 0) return []
  const found = await findCorrespondents(ctx.db, numbers)
  const collection = ctx.schema.collections.get(usersCollection)
  const keys = found.map(({ id }) => id)
  const isKnown =
    found.length === numbers.length && collection !== undefined && (await areVisible(ctx, collection, keys))
  if (isKnown) return found
  throw new TandemError({ kind: 'unprocessable', reason: 'Unable to find some users of "to"' })
}

async function authorOf(ctx: Pick<Context, 'db'>, user: string): Promise<LetterText['author']> {
  const own = await findOwnAddress(ctx.db, user)
  return own === undefined ? null : { name: nameOf(own) ?? own.email, address: own.email }
}

function nameOf({ first_name, last_name }: Correspondent): string | null {
  const name = [first_name, last_name].filter((part) => part !== null && part !== '').join(' ')
  return name === '' ? null : name
}
