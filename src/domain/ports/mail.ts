/** The port for mail: recipients and contents. `src/mail` renders and delivers it. */

/** The templates. Each one has a text form and an HTML form. */
export type MailTemplate = 'password-reset' | 'share-invitation' | 'user-invitation' | 'user-registration'

export type MailMessage = {
  /** One address, as stored. */
  readonly to: string
  readonly template: MailTemplate
  readonly data: MailData
}

export type MailData = {
  readonly projectName: string
  /** A CSS colour such as `#6644FF`. */
  readonly projectColor: string
  /** Home page of the project. */
  readonly projectUrl: string
  /** Target of the mail's link. */
  readonly url: string
}

/** A mail that a user wrote. All recipients of one letter can share the same `text`. */
export type Letter = {
  readonly to: string
  /** Display name of the recipient. */
  readonly name: string | null
  readonly text: LetterText
}

export type LetterText = {
  readonly subject: string
  /** HTML or plain text. HTML is reduced to harmless elements before it is sent. */
  readonly body: string
  readonly isHtml: boolean
  /** Who wrote the letter; replies go to this address. Null = the project. */
  readonly author: { readonly name: string; readonly address: string } | null
}

/** Sends mail in the background. Call it after the commit, because a mail cannot be recalled. */
export type Mail = {
  /**
   * Loads the mail library; never rejects. Await it before looking up the account. Otherwise the response time of the
   * first request would reveal whether the account exists.
   */
  readonly prepare: () => Promise<void>
  /**
   * Connects to the mail server with its settings, or looks for the program that sends mail. Throws `mail-failed`. A
   * later delivery can still fail.
   */
  readonly verify: () => Promise<void>
  /** Returns at once and never throws. Failed deliveries are logged. */
  readonly send: (message: MailMessage) => void
  /** As `send`. */
  readonly sendLetter: (letter: Letter) => void
}
