/** Messages → subject, text and HTML, by the templates in `templates/`. */
import { join } from 'node:path'
import { Liquid } from 'liquidjs'
import type { MailMessage, MailTemplate } from '../domain/mail.ts'

export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string }

const subjects = {
  'password-reset': 'Reset your password for {{ projectName }}',
  'share-invitation': 'Something of {{ projectName }} has been shared with you',
  'user-invitation': 'You have been invited to {{ projectName }}',
  'user-registration': 'Confirm your e-mail address for {{ projectName }}',
} as const satisfies Record<MailTemplate, string>

/** Templates are files of ours and see plain data alone; in HTML every value is escaped. */
export function createRenderer(): (message: MailMessage) => Promise<RenderedMail> {
  const root = join(import.meta.dirname, 'templates')
  const options = { root, cache: true, strictVariables: true, strictFilters: true, ownPropertyOnly: true }
  const plain = new Liquid({ ...options, extname: '.text.liquid' })
  const html = new Liquid({ ...options, extname: '.html.liquid', outputEscape: 'escape' })
  return async ({ to, template, data }) => {
    const scope = { ...data, projectColor: colour(data.projectColor), email: to }
    return {
      subject: oneLine(await plain.parseAndRender(subjects[template], scope)),
      text: await plain.renderFile(template, scope),
      html: await html.renderFile(template, scope),
    }
  }
}

/** Nothing else may stand in a style. */
const colour = (value: string): string => (/^#[0-9a-f]{3,8}$/i.test(value) ? value : '#6644FF')

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
