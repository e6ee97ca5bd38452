/** Messages → subject, text and HTML, by the templates in `templates/` or by the operator's own. */
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

/**
 * Templates see plain data alone; in HTML every value is escaped. Those in the folder `own` stand in for those of the
 * same name here; they are read at once and throw when they cannot be understood. What they name and there is not, is empty.
 */
export function createRenderer(own: string | null): (message: MailMessage) => Promise<RenderedMail> {
  const root = [...(own === null ? [] : [own]), join(import.meta.dirname, 'templates')]
  const options = { root, cache: true, strictVariables: own === null, strictFilters: true, ownPropertyOnly: true }
  const plain = new Liquid({ ...options, extname: '.text.liquid' })
  const html = new Liquid({ ...options, extname: '.html.liquid', outputEscape: 'escape' })
  if (own !== null)
    for (const engine of [plain, html]) for (const name of Object.keys(subjects)) engine.parseFileSync(name)
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
