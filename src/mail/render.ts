/** Renders messages to subject, text and HTML, with the built-in templates or those of the operator. */
import { join } from 'node:path'
import { Liquid } from 'liquidjs'
import type { MailData, MailMessage, MailTemplate } from '../domain/ports/mail.ts'

export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string }

const subjects = {
  'password-reset': 'Reset your password for {{ projectName }}',
  'share-invitation': 'An item of {{ projectName }} has been shared with you',
  'user-invitation': 'You have been invited to {{ projectName }}',
  'user-registration': 'Confirm your e-mail address for {{ projectName }}',
} as const satisfies Record<MailTemplate, string>

/** Limits of time (milliseconds) and memory per rendering, for example for a template that includes itself. */
const limits = { renderLimit: 2000, memoryLimit: 10_000_000 } as const

/** Sample data to test custom templates with. */
const sample: MailData & { readonly email: string } = {
  projectName: 'Tandem',
  projectColor: '#6644FF',
  projectUrl: 'https://example.com',
  url: 'https://example.com/?token=sample',
  email: 'ann@example.com',
}

/**
 * Creates the renderer. Templates receive only plain data, and values are escaped in HTML. Templates in the folder `own`
 * replace built-in ones of the same name. They are tested at once; an invalid template throws. Unknown variables are
 * empty.
 */
export function createRenderer(own: string | null): (message: MailMessage) => Promise<RenderedMail> {
  const root = [...(own === null ? [] : [own]), join(import.meta.dirname, 'templates')]
  const common = { root, cache: true, strictVariables: own === null, strictFilters: true, ownPropertyOnly: true }
  const options = own === null ? common : { ...common, ...limits }
  const plain = new Liquid({ ...options, extname: '.text.liquid' })
  const html = new Liquid({ ...options, extname: '.html.liquid', outputEscape: 'escape' })
  if (own !== null)
    for (const engine of [plain, html]) for (const name of Object.keys(subjects)) engine.renderFileSync(name, sample)
  return async ({ to, template, data }) => {
    const scope = { ...data, projectColor: colour(data.projectColor), email: to }
    return {
      subject: oneLine(await plain.parseAndRender(subjects[template], scope)),
      text: await plain.renderFile(template, scope),
      html: await html.renderFile(template, scope),
    }
  }
}

/** Allows only a CSS colour in a style attribute. */
const colour = (value: string): string => (/^#[0-9a-f]{3,8}$/i.test(value) ? value : '#6644FF')

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
