/** Mail, as far as the core knows it: what to tell whom. How it looks and travels is for `src/mail`. */

/** What a mail is about; each has a text and an HTML form. */
export type MailTemplate = 'password-reset' | 'share-invitation' | 'user-invitation' | 'user-registration'

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
  /** Where the project is at home. */
  readonly projectUrl: string
  /** Where the mail leads. */
  readonly url: string
}

/** Sends in the background. To be called after the commit: what is handed over cannot be taken back. */
export type Mail = {
  /**
   * Resolves when a mail costs no more than itself, and never rejects. To be awaited before anybody is looked
   * up, or the first answer would tell by its time whether there was somebody to write to.
   */
  readonly prepare: () => Promise<void>
  /** Never throws and never waits; what cannot be delivered is logged. */
  readonly send: (message: MailMessage) => void
}
