import { change, firstRow, firstValue, hasRows, type Runner } from './answers.ts'

/** Public settings, in core names. */
export type ShownSettings = {
  readonly project_name: string
  readonly project_descriptor: string | null
  readonly project_logo: string | null
  readonly project_color: string
  readonly default_appearance: string
  readonly default_theme_light: string | null
  readonly default_theme_dark: string | null
  readonly theme_light_overrides: { [name: string]: unknown } | null
  readonly theme_dark_overrides: { [name: string]: unknown } | null
  readonly default_language: string
  readonly public_foreground: string | null
  readonly public_background: string | null
  readonly public_favicon: string | null
  readonly public_note: string | null
  readonly custom_css: string | null
  readonly public_registration: boolean
  readonly public_registration_verify_email: boolean
}

const shown = {
  project_name: true,
  project_descriptor: true,
  project_logo: true,
  project_color: true,
  default_appearance: true,
  default_theme_light: true,
  default_theme_dark: true,
  theme_light_overrides: true,
  theme_dark_overrides: true,
  default_language: true,
  public_foreground: true,
  public_background: true,
  public_favicon: true,
  public_note: true,
  custom_css: true,
  public_registration: true,
  public_registration_verify_email: true,
} as const satisfies { readonly [Name in keyof ShownSettings]: true }

/** The columns of `ShownSettings`. */
export const shownSettings: readonly string[] = Object.keys(shown)

/** The public project settings. */
export function readShownSettings(db: Runner): Promise<ShownSettings | undefined> {
  const text = `select ${shownSettings.join(', ')} from platform_settings order by id limit 1`
  return firstRow(db, { task: 'readShownSettings', text, values: [], name: 'project-settings' })
}

/** The facts about the project for mails. */
export type ProjectRow = { readonly name: string; readonly color: string; readonly url: string | null }

export function readProject(db: Runner): Promise<ProjectRow | undefined> {
  const text = `select project_name as name, project_color as color, project_url as url
  from platform_settings order by id limit 1`
  return firstRow(db, { task: 'readProject', text, values: [], name: 'project-facts' })
}

/** Sets the name of a new project, unless it has one already: files may have been pushed before the first start. */
export async function setProjectName(db: Runner, name: string): Promise<void> {
  const text = `update platform_settings set project_name = $1 where project_name = 'Tandem'`
  await change(db, { text, values: [name] })
}

export type ProjectFacts = {
  readonly projectName: string
  /** Null leaves it as it is. */
  readonly projectUrl: string | null
  readonly defaultLanguage: string | null
}

export async function setProjectFacts(
  db: Runner,
  { projectName, projectUrl, defaultLanguage }: ProjectFacts,
): Promise<void> {
  const text = `update platform_settings set project_name = $1, project_url = coalesce($2, project_url),
    default_language = coalesce($3, default_language)`
  await change(db, { text, values: [projectName, projectUrl, defaultLanguage] })
}

/** The JSON text of the settings that the server stores without using them; null = none. */
export async function readSettingEntries(db: Runner): Promise<string | null> {
  const text = 'select entries::text as entries from platform_settings order by id limit 1'
  return (await firstValue<string | null>(db, { task: 'readSettingEntries', text, values: [] })) ?? null
}

/** The settings of public registration. */
export type RegistrationRow = {
  readonly enabled: boolean
  readonly verify: boolean
  readonly role: string | null
  readonly filter: unknown
}

/** Reads the settings of public registration. */
export function readRegistration(db: Runner): Promise<RegistrationRow | undefined> {
  const text = `select public_registration as enabled, public_registration_verify_email as verify,
  public_registration_role as role, public_registration_email_filter as filter
  from platform_settings order by id limit 1`
  return firstRow(db, { task: 'readRegistration', text, values: [], name: 'registration-settings' })
}

/** The pattern for passwords; null or empty = any password. */
export async function readPasswordPolicy(db: Runner): Promise<string | null> {
  const text = 'select auth_password_policy as policy from platform_settings order by id limit 1'
  const statement = { task: 'readPasswordPolicy', text, values: [], name: 'password-policy' }
  return (await firstValue<string | null>(db, statement)) ?? null
}

/** The file settings as stored: names of new objects, names in URLs, media types, and folder of new files. */
export type FileSettingsRow = readonly [
  naming: string | null,
  addresses: string | null,
  types: string | null,
  folder: string | null,
]

export function readFileSettings(db: Runner): Promise<FileSettingsRow | undefined> {
  const text = `select file_naming, asset_url_naming, file_mimetype_whitelist, storage_default_folder
    from platform_settings order by id limit 1`
  return firstRow(db, { task: 'readFileSettings', text, values: [], name: 'file-settings', rows: 'array' })
}

/** Columns with the allowed image transforms. */
const transforming = ['storage_asset_transform', 'storage_asset_presets'] as const

/** `storage_asset_transform` and the JSON of `storage_asset_presets`. */
export type TransformSettings = readonly (string | null)[]

export async function readTransformSettings(db: Runner): Promise<TransformSettings> {
  const text = `select ${transforming.join(', ')} from platform_settings order by id limit 1`
  const statement = { task: 'readTransformSettings', text, values: [], name: 'asset-settings', rows: 'array' } as const
  return (await firstRow<TransformSettings>(db, statement)) ?? []
}

/** `TransformSettings`, to be read with the row of a file. */
export const transformsBeside = {
  expressions: transforming.map((column) => `(select ${column} from platform_settings order by id limit 1)`),
  read: readTransformSettings,
} as const

/** Settings with public files: they are shown before the login. */
const publicFiles = ['project_logo', 'public_foreground', 'public_background', 'public_favicon'] as const

/** Whether the file is public because a setting refers to it. */
export function isPublicFile(db: Runner, id: string): Promise<boolean> {
  const any = publicFiles.map((column) => `${column} = $1::uuid`).join(' or ')
  const text = `select 1 from platform_settings where ${any} limit 1`
  return hasRows(db, { task: 'isPublicFile', text, values: [id], name: 'is-public-file' })
}
