/** Renders letters of users. */

import sanitize from 'sanitize-html'
import { memoizeBy } from '../domain/memoize.ts'
import type { LetterText } from '../domain/ports/mail.ts'
import type { Envelope } from './transports.ts'

/**
 * The sender stays the address of the project, because mail servers refuse mails from foreign addresses. Its display
 * name is that of the author, and replies go to the author.
 */
export function renderLetter(letter: LetterText, from: string): Omit<Envelope, 'to'> {
  const { subject, author } = letter
  const parts = { subject: subject.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim(), ...bodyOf(letter) }
  if (author === null) return { ...parts, from }
  // The setting is an address, or a display name with the address in angle brackets.
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
  return { ...parts, from: { name: author.name, address }, replyTo: author }
}

const bodyOf = (letter: LetterText): Pick<Envelope, 'text' | 'html'> =>
  letter.isHtml ? { text: null, html: harmless(letter) } : { text: letter.body, html: null }

/** A letter with many recipients is sanitized once. */
const harmless = memoizeBy((letter: LetterText): string => sanitize(letter.body, allowed))

/** Text, lists, tables, links and images; no scripts, styles, forms and frames. */
const allowed: sanitize.IOptions = {
  allowedTags: [...sanitize.defaults.allowedTags, 'img'],
  allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title', 'width', 'height'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  disallowedTagsMode: 'discard',
}
