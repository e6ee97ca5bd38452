/** Letters: mails that users write to users and addresses. */

import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { LetterText } from '../../domain/ports/mail.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type Correspondent, findCorrespondents, findOwnAddress } from '../../sql/statements/accounts/users.ts'
import { areVisible } from '../rows/has-row.ts'
import { systemCollection } from '../rows/keys.ts'
import { systemValue } from '../rows/system-values.ts'
import { countMails } from './attempts.ts'
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
  const correspondents = await findCorrespondents(ctx.db, numbers)
  const keys = correspondents.map(({ id }) => id)
  const users = systemCollection(ctx, usersCollection)
  if (correspondents.length === numbers.length && (await areVisible(ctx, users, keys))) return correspondents
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

/** Placeholders in double braces, as in `Hello {{ user.name }}`. */
const placeholder = /\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g

/** Maximum length of a filled text, because a value can occur many times. */
const longest = 500_000

/**
 * Replaces placeholders by values of `data`; dots lead into objects. Values without a text, and missing ones, are
 * empty. In HTML the values are escaped. Throws `unprocessable` for a result that is too long.
 * @example fillPlaceholders('Hello {{ user.name }}', { user: { name: 'Ann' } }, false) // 'Hello Ann'
 */
function fillPlaceholders(text: string, data: { readonly [name: string]: unknown }, isHtml: boolean): string {
  let grown = text.length
  return text.replaceAll(placeholder, (whole, path: string) => {
    const value = valueAt(data, path.split('.'))
    const shown = isHtml ? escapeHtml(value) : value
    grown += shown.length - whole.length
    if (grown <= longest) return shown
    const reason = `Expected at most ${longest} characters in "body" after its placeholders are replaced`
    throw new TandemError({ kind: 'unprocessable', reason })
  })
}

function valueAt(data: unknown, [name = '', ...rest]: readonly string[]): string {
  const value: unknown =
    typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined
  if (rest.length > 0) return valueAt(value, rest)
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
