import { type Recipient, sendLetter } from '../../core/accounts/letters.ts'
import type { components, LegacyMailOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty } from '../../http/reply/reply.ts'

export const mail = {
  async sendMail(ctx, { body }) {
    const to = (Array.isArray(body.to) ? body.to : [body.to]).map(toRecipient)
    const { subject, data, type, use_default_email: asProject = false } = body
    // PHP writes an empty object as a list.
    const values = Array.isArray(data) ? Object.fromEntries(data.entries()) : (data ?? {})
    await sendLetter(ctx, {
      to,
      subject: subject ?? '',
      body: body.body,
      isHtml: type !== 'plain',
      data: values,
      asProject,
    })
    return empty()
  },
} satisfies Handlers<LegacyMailOperations>

function toRecipient(input: components['schemas']['MailRecipient']): Recipient {
  // Forms send ids as texts.
  if (typeof input === 'object') return { address: input.email, name: input.name ?? null }
  if (typeof input === 'number' || /^\d{1,9}$/.test(input)) return { user: Number(input) }
  return { address: input, name: null }
}
