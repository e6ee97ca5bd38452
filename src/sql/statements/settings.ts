/** The one row of the project's settings. */
import { change, firstRow, hasRows, type Runner } from './answers.ts'

/** Settings that everybody may see, in core names. */
const shown = [
  'project_name',
  'project_descriptor',
  'project_logo',
  'project_color',
  'default_appearance',
  'default_theme_light',
  'default_theme_dark',
  'theme_light_overrides',
  'theme_dark_overrides',
  'default_language',
  'public_foreground',
  'public_background',
  'public_favicon',
  'public_note',
  'custom_css',
  'public_registration',
  'public_registration_verify_email',
] as const

/** What the settings say about the project to everybody. */
export function readShownSettings(
  db: Runner,
): Promise<{ readonly [Name in (typeof shown)[number]]: unknown } | undefined> {
  const text = `select ${shown.join(', ')} from platform_settings order by id limit 1`
  return firstRow(db, { text, values: [], name: 'project-settings' })
}

/** The project as mails name it. */
export type ProjectRow = { readonly name: string; readonly color: string; readonly url: string | null }

/** Name, colour and address of the project. */
export function readProject(db: Runner): Promise<ProjectRow | undefined> {
  const text = `select project_name as name, project_color as color, project_url as url
  from platform_settings order by id limit 1`
  return firstRow(db, { text, values: [], name: 'project-facts' })
}

/** What the project is called from now on. */
export async function setProjectName(db: Runner, name: string): Promise<void> {
  await change(db, { text: 'update platform_settings set project_name = $1', values: [name] })
}

/** The JSON text of the settings that the server only keeps; null = none. */
export async function readSettingEntries(db: Runner): Promise<string | null> {
  const text = 'select entries::text as entries from platform_settings order by id limit 1'
  return (await firstRow<{ readonly entries: string | null }>(db, { text, values: [] }))?.entries ?? null
}

/** What the settings say about public registration. */
export type RegistrationRow = {
  readonly enabled: boolean
  readonly verify: boolean
  readonly role: string | null
  readonly filter: unknown
}

/** Whether and how strangers may register. */
export function readRegistration(db: Runner): Promise<RegistrationRow | undefined> {
  const text = `select public_registration as enabled, public_registration_verify_email as verify,
  public_registration_role as role, public_registration_email_filter as filter
  from platform_settings order by id limit 1`
  return firstRow(db, { text, values: [], name: 'registration-settings' })
}

/** The pattern that passwords have to match; null or empty = any. */
export async function readPasswordPolicy(db: Runner): Promise<string | null> {
  const text = 'select auth_password_policy as policy from platform_settings order by id limit 1'
  const statement = { text, values: [], name: 'password-policy' }
  return (await firstRow<{ readonly policy: string | null }>(db, statement))?.policy ?? null
}

/** Naming of new contents, naming in addresses, media types and folder of new files, as they are stored. */
export type FileSettingsRow = readonly [
  naming: string | null,
  addresses: string | null,
  types: string | null,
  folder: string | null,
]

/** What the settings say about files. */
export function readFileSettings(db: Runner): Promise<FileSettingsRow | undefined> {
  const text = `select file_naming, asset_url_naming, file_mimetype_whitelist, storage_default_folder
    from platform_settings order by id limit 1`
  return firstRow(db, { text, values: [], name: 'file-settings', rows: 'array' })
}

/** Columns that say which transforms of pictures the project allows. */
const transforming = ['storage_asset_transform', 'storage_asset_presets'] as const

/** `storage_asset_transform` and the JSON of `storage_asset_presets`. */
export type TransformSettings = readonly (string | null)[]

/** Which transforms of pictures the project allows. */
export async function readTransformSettings(db: Runner): Promise<TransformSettings> {
  const text = `select ${transforming.join(', ')} from platform_settings order by id limit 1`
  return (await firstRow<TransformSettings>(db, { text, values: [], name: 'asset-settings', rows: 'array' })) ?? []
}

/** `TransformSettings` as expressions, to be read beside a row of a file. */
export const transformExpressions: readonly string[] = transforming.map(
  (column) => `(select ${column} from platform_settings order by id limit 1)`,
)

/** Settings whose files everybody sees: they are shown before anybody has logged in. */
const publicFiles = ['project_logo', 'public_foreground', 'public_background', 'public_favicon'] as const

/** Whether a setting makes the file visible to everybody. */
export function isPublicFile(db: Runner, id: string): Promise<boolean> {
  const any = publicFiles.map((column) => `${column} = $1::uuid`).join(' or ')
  const text = `select 1 from platform_settings where ${any} limit 1`
  return hasRows(db, { text, values: [id], name: 'is-public-file' })
}
