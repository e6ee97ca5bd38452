/** The port for the projects of a server: what requests may list, create and delete. */

/** A configuration object such as `cors`, with the names of its attributes. */
export type ProjectSettings = { readonly [attribute: string]: unknown }

export type NewProject = {
  readonly key: string
  /** Does not appear in lists. */
  readonly isPrivate: boolean
  /** Replace the system tables of an earlier installation. */
  readonly force: boolean
  /** Keep the system tables of an earlier installation. */
  readonly existing: boolean
  readonly admin: { readonly email: string; readonly password: string; readonly token: string | null }
  readonly projectUrl: string | null
  readonly defaultLanguage: string | null
  /** Contents of the configuration file. */
  readonly settings: ProjectSettings
}

export type Projects = {
  /** Keys of the projects that lists show. */
  readonly list: () => readonly string[]
  /** Whether the token is that of the server's operator. False if the server has none. */
  readonly isSuperAdmin: (token: string) => boolean
  /** Creates everything or nothing. */
  readonly create: (project: NewProject) => Promise<void>
  /** Deletes the system tables and the configuration; other tables and files stay. */
  readonly remove: (key: string) => Promise<void>
}
