export type MailSettings = {
  /** The sender: `no-reply@example.com`, optionally with a display name. */
  readonly from: string
  readonly transport: TransportSettings
  /** Folder of custom templates; null = built-in templates. */
  readonly templates: string | null
  /** Whether to test the transport at the start and log an error. */
  readonly verify: boolean
}

export type TransportSettings =
  /** Writes one `.eml` file per mail into a folder. */
  | { readonly kind: 'file'; readonly folder: string }
  /** Prints the text of each mail to standard output. */
  | { readonly kind: 'console' }
  | { readonly kind: 'sendmail'; readonly path: string; readonly newline: 'unix' | 'windows' }
  | {
      readonly kind: 'smtp'
      readonly host: string
      /** Null = 587, or 465 with implicit TLS. */
      readonly port: number | null
      readonly user: string | null
      readonly password: string | null
      readonly pool: boolean
      readonly secure: boolean
      readonly ignoreTls: boolean
      /** Host name in EHLO; null = the name of the machine. */
      readonly name: string | null
    }
