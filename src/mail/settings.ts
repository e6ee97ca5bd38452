/** How mail leaves the server. */

export type MailSettings = {
  /** `no-reply@example.com`, or with a name in front. */
  readonly from: string
  readonly transport: TransportSettings
  /** Folder of templates that stand in for ours; null = ours. */
  readonly templates: string | null
  /** Whether to try the transport once at the start, and log what is wrong with it. */
  readonly verify: boolean
}

export type TransportSettings =
  /** One `.eml` per mail in a folder: nothing leaves the machine. */
  | { readonly kind: 'file'; readonly folder: string }
  /** The text of each mail on standard output. */
  | { readonly kind: 'console' }
  | { readonly kind: 'sendmail'; readonly path: string; readonly newline: 'unix' | 'windows' }
  | {
      readonly kind: 'smtp'
      readonly host: string
      /** Null = 587, or 465 when TLS is spoken from the start. */
      readonly port: number | null
      readonly user: string | null
      readonly password: string | null
      readonly pool: boolean
      readonly secure: boolean
      readonly ignoreTls: boolean
      /** What the server calls itself; null = the name of the machine. */
      readonly name: string | null
    }
