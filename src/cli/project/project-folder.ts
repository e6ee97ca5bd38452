/** The files of a project in a folder: written with stable names, and read with the file and line of each fault. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConfigurationModel, Entries, Entry, FileKind, ProjectDocument } from '../../domain/ports/configuration.ts'
import { type PlacedDocument, placedYaml, toYaml } from '../../exchange/documents.ts'
import type { ProjectFile } from './locate-fault.ts'
import {
  isSettingSecret,
  isWebhookSecret,
  type MissingSecret,
  resolveSecrets,
  type Variables,
  withReferences,
} from './project-secrets.ts'

/** Folders with one file per thing, and the key of a file that names the thing. */
const folders = {
  collections: { kind: 'collection', name: 'collection' },
  roles: { kind: 'role', name: 'role' },
  policies: { kind: 'policy', name: 'policy' },
  dashboards: { kind: 'dashboard', name: 'dashboard' },
  translations: { kind: 'translations', name: 'language' },
} as const satisfies { readonly [folder: string]: { readonly kind: FileKind; readonly name: string } }

type Folder = keyof typeof folders

const folderNames = Object.keys(folders) as readonly Folder[]

const singles = ['settings', 'presets', 'webhooks'] as const

const schemaFolder = 'schemas'

/** Writes the files, and deletes those of things that are no longer there. */
export async function writeProject(
  root: string,
  model: ConfigurationModel,
  document: ProjectDocument,
): Promise<number> {
  const files = projectFiles(document)
  await writeSchemas(root, model)
  for (const folder of folderNames) {
    await mkdir(join(root, folder), { recursive: true })
    const gone = (await yamlNames(join(root, folder))).filter((name) => !files.has(`${folder}/${name}`))
    for (const name of gone) await rm(join(root, folder, name))
  }
  for (const name of singles) if (!files.has(`${name}.yaml`)) await rm(join(root, `${name}.yaml`), { force: true })
  for (const [path, text] of files) await writeFile(join(root, path), text)
  return files.size
}

export async function writeSchemas(root: string, model: ConfigurationModel): Promise<void> {
  await mkdir(join(root, schemaFolder), { recursive: true })
  for (const kind of [...folderNames.map((folder) => folders[folder].kind), ...singles])
    await writeFile(join(root, schemaFolder, `${kind}.json`), `${JSON.stringify(model.schemaOf(kind), null, 2)}\n`)
}

function projectFiles(document: ProjectDocument): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const folder of folderNames) {
    const { kind, name } = folders[folder]
    const used = new Set<string>()
    for (const [key, value] of Object.entries(document[folder])) {
      const content = folder === 'translations' ? { [name]: key, texts: value } : { [name]: key, ...value }
      files.set(`${folder}/${freeName(fileName(key), used)}.yaml`, textOf(`../${schemaFolder}/${kind}.json`, content))
    }
  }
  for (const single of singles) {
    const content = document[single]
    if (content !== null)
      files.set(`${single}.yaml`, textOf(`./${schemaFolder}/${single}.json`, withReferences(single, content)))
  }
  return files
}

const textOf = (schema: string, content: unknown): string =>
  `# yaml-language-server: $schema=${schema}\n${toYaml(withReferences(null, content))}`

/** A name that all file systems take: other characters than letters, digits and a few signs become their codes. */
const fileName = (name: string): string =>
  name.replaceAll(/[^\p{L}\p{N} _.()-]|^[. ]|[. ]$/gu, (sign) => `%${sign.codePointAt(0)?.toString(16)}`).slice(0, 120)

/** Some file systems do not distinguish capitals from small letters. */
function freeName(name: string, used: Set<string>): string {
  for (let at = 1; ; at += 1) {
    const tried = at === 1 ? name : `${name}~${at}`
    if (used.has(tried.toLowerCase())) continue
    used.add(tried.toLowerCase())
    return tried
  }
}

async function yamlNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => /\.ya?ml$/.test(name)).toSorted()
}

export type ReadProject = {
  readonly document: ProjectDocument
  /** Values that came from the environment. */
  readonly secrets: ReadonlySet<string>
  readonly missing: readonly MissingSecret[]
  readonly files: readonly ProjectFile[]
}

/** Reads and checks all files. Throws an error that names the file, the line, what was expected and what came. */
export async function readProject(root: string, model: ConfigurationModel, variables: Variables): Promise<ReadProject> {
  const reading: FolderReading = { root, model, variables, secrets: new Set(), missing: [], files: [] }
  const parts = new Map<Folder, Entries>()
  for (const folder of folderNames) parts.set(folder, await readFolder(reading, folder))
  const part = (folder: Folder): Entries => parts.get(folder) ?? {}
  const document: ProjectDocument = {
    collections: part('collections'),
    roles: part('roles'),
    policies: part('policies'),
    dashboards: part('dashboards'),
    translations: Object.fromEntries(
      Object.entries(part('translations')).map(([language, { texts }]) => [
        language,
        texts as { [key: string]: string },
      ]),
    ),
    settings: (await readSingle(reading, 'settings')) as Entry | null,
    presets: (await readSingle(reading, 'presets')) as readonly Entry[] | null,
    webhooks: (await readSingle(reading, 'webhooks')) as readonly Entry[] | null,
  }
  const isEmpty =
    singles.every((name) => document[name] === null) &&
    folderNames.every((folder) => Object.keys(part(folder)).length === 0)
  if (isEmpty) throw new Error(`${root}: expected the files of a project, such as those of "tandem pull", got none`)
  return { document, secrets: reading.secrets, missing: reading.missing, files: reading.files }
}

type FolderReading = {
  readonly root: string
  readonly model: ConfigurationModel
  readonly variables: Variables
  readonly secrets: Set<string>
  readonly missing: MissingSecret[]
  readonly files: ProjectFile[]
}

async function readFolder(reading: FolderReading, folder: Folder): Promise<Entries> {
  const { kind, name } = folders[folder]
  const entries = new Map<string, Entry>()
  for (const file of await yamlNames(join(reading.root, folder))) {
    const path = `${folder}/${file}`
    const { [name]: key, ...rest } = (await readChecked(reading, path, kind)) as Entry & {
      readonly [key: string]: unknown
    }
    const existing = String(key)
    if (entries.has(existing))
      throw new Error(`${path}: expected another ${name} than "${existing}", which another file has`)
    entries.set(existing, rest)
  }
  return Object.fromEntries(entries)
}

async function readSingle(reading: FolderReading, name: (typeof singles)[number]): Promise<unknown> {
  const names = await readdir(reading.root).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${reading.root}: expected a folder, got ${error.code === 'ENOENT' ? 'nothing there' : error.message}`,
    )
  })
  const file = names.find((each) => each === `${name}.yaml` || each === `${name}.yml`)
  return file === undefined ? null : readChecked(reading, file, name)
}

async function readChecked(
  { root, model, variables, secrets, missing, files }: FolderReading,
  path: string,
  kind: FileKind,
) {
  const text = await readFile(join(root, path), 'utf8')
  const placed = parse(path, text)
  files.push({ path, kind, name: nameIn(kind, placed.value), text })
  const fault = model.check(kind, placed.value)
  if (fault !== null) throw new Error(describeFault(path, placed, fault))
  return resolveSecrets(placed.value, {
    variables,
    onSecret: (secret) => void secrets.add(secret),
    unset(keys, variable) {
      if (kind === 'settings' && keys.length === 1 && isSettingSecret(keys[0] ?? '')) {
        missing.push({ setting: keys[0] ?? '', variable })
        return ''
      }
      if (isWebhookSecret(kind, keys)) return `$env:${variable}`
      const line = placed.lineOf(keys)
      throw new Error(`${path}:${line}: expected the variable ${variable} for "${keys.join('.')}", got none`)
    },
  })
}

function nameIn(kind: FileKind, value: unknown): string | null {
  const folder = Object.values(folders).find((each) => each.kind === kind)
  const name = folder === undefined ? null : (value as Entry | null)?.[folder.name]
  return typeof name === 'string' ? name : null
}

function parse(path: string, text: string): PlacedDocument {
  try {
    return placedYaml(text)
  } catch (error) {
    throw new Error(`${path}: expected YAML, got ${(error as Error).message}`, { cause: error })
  }
}

type Fault = { readonly path: readonly string[]; readonly reason: string }

function describeFault(file: string, { value, lineOf }: PlacedDocument, { path, reason }: Fault): string {
  const location = path.length === 0 ? 'the file' : `"${path.join('.')}"`
  const unknown = /^"(.+)" is not known here$/.exec(reason)?.[1]
  if (unknown !== undefined)
    return `${file}:${lineOf([...path, unknown])}: expected a known key in ${location}, got "${unknown}"`
  const received = path.reduce<unknown>(
    (entry, key) => (typeof entry === 'object' && entry !== null ? (entry as Entry)[key] : undefined),
    value,
  )
  const text = JSON.stringify(received) ?? 'nothing'
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text
  return `${file}:${lineOf(path)}: expected another value for ${location}: it ${reason}, got ${shown}`
}
