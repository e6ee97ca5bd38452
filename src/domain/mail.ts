/** Mail, as far as the core knows it: what to tell whom. How it looks and travels is for `src/mail`. */

/** What a mail is about; each has a text and an HTML form. */
export type MailTemplate = 'password-reset' | 'user-invitation' | 'user-registration'

export type MailMessage = {
  /** One address, as it is stored. */
  readonly to: string
  readonly template: MailTemplate
  readonly data: MailData
}

export type MailData = {
  readonly projectName: string
  /** A colour of CSS such as `#6644FF`. */
  readonly projectColor: string
  /** Where the mail leads. */
  readonly url: string
}

/** Sends in the background. To be called after the commit: what is handed over cannot be taken back. */
export type Mail = {
  /** Never throws and never waits; what cannot be delivered is logged. */
  readonly send: (message: MailMessage) => void
}
