/** Creates and deletes projects, for requests with the super-admin token. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ProjectError } from '../config/projects/error.ts'
import { draftProjectFile, readProjectsFolder } from '../config/projects/project-files.ts'
import { readProject } from '../config/projects/read-project.ts'
import type { Config } from '../config/sections.ts'
import type { NewProject, Projects } from '../domain/ports/projects.ts'
import { invalidPayload, TandemError } from '../domain/rights/errors.ts'
import { dropSystemTables } from '../sql/schema/system-tables.ts'
import { createStaticToken, equalTokens } from '../tokens/opaque.ts'
import { installProject } from './install-project.ts'
import { dataDirOf, type FileSource, fileEntry, toProjectKey } from './project-sources.ts'
import type { Registry } from './registry.ts'

export type ManageOptions = {
  /** The watch of the folder leaves these keys alone. */
  readonly busy: Set<string>
  readonly registry: Registry
  /** Of the server; known after it has started. */
  readonly reserved: () => ReadonlySet<string>
  readonly source: FileSource
}

/** Milliseconds that running requests of a deleted project have. */
const closeTimeout = 5_000

export function manageProjects(parts: ManageOptions): Projects {
  const { busy, registry, source } = parts
  const { folder, superAdminToken } = source.settings
  const alone = async (key: string, work: () => Promise<void>): Promise<void> => {
    if ((await readProjectsFolder(folder)).isLocked) {
      throw new TandemError({ kind: 'forbidden', reason: 'The file .lock forbids requests to change projects' })
    }
    if (busy.has(key)) throw fault('taken', `The project "${key}" is created or deleted at present`)
    busy.add(key)
    try {
      await work()
    } finally {
      busy.delete(key)
    }
  }
  return {
    list: registry.shown,
    isSuperAdmin: (token) => superAdminToken !== null && equalTokens(token, superAdminToken, ''),
    create: (project) => {
      const key = toProjectKey(project.key)
      return alone(key, () => create({ ...project, key }, parts))
    },
    remove: (key) => alone(key, () => remove(key, parts)),
  }
}

async function create(project: NewProject, { registry, reserved, source }: ManageOptions): Promise<void> {
  const { key, isPrivate } = project
  const { folder } = source.settings
  const { files } = await readProjectsFolder(folder)
  if (registry.has(key) || files.some((file) => file.key === key))
    throw fault('taken', `A project named "${key}" already exists`)
  if (reserved().has(key)) throw fault('taken', `The name "${key}" is a path of the server`)
  const contents = withSecret(project.settings)
  const config = readSettings(project, contents, source)
  refuseSameDatabase(config, registry)
  const name = `${isPrivate ? 'private' : 'api'}${key === '_' ? '' : `.${key}`}.json`
  const path = join(folder, name)
  const draft = await draftProjectFile(path, contents).catch((error: unknown) => {
    const reason = `PROJECTS_DIR cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'an error'}`
    throw fault('file', reason, error)
  })
  try {
    await installProject(project, config, { log: source.around.log, saveFiles: () => placed(draft.save(), key) })
  } finally {
    await draft.drop()
  }
  registry.add(fileEntry({ key, path, kind: 'json', isPrivate }, source))
  await registry.openAll()
}

/** Every project has a key of its own, which all replicas read from the file. */
function withSecret({ auth, ...rest }: NewProject['settings']): NewProject['settings'] {
  const input = (typeof auth === 'object' ? auth : {}) as { readonly secret?: unknown }
  return { ...rest, auth: { secret: createStaticToken() + createStaticToken(), ...input } }
}

function readSettings({ key }: NewProject, contents: object, { settings, dataDir }: FileSource): Config {
  const own = dataDirOf(key, dataDir)
  const read = { key, contents: contents as Parameters<typeof readProject>[0]['contents'], dataDir: own, base: own }
  try {
    return readProject({ ...read, isConfined: true }, settings)
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error
    if (error.problem !== 'settings') throw fault(error.problem, error.message, error)
    const name = parameters[error.attribute] ?? error.attribute
    const reason = `Expected ${error.expected} for "${name}" but received ${error.got}`
    if (name === 'db_type') throw new TandemError({ kind: 'unprocessable', reason })
    throw error.attribute.startsWith('database') ? fault('database', reason, error) : invalidPayload(name, reason)
  }
}

/** Parameters of requests with other names than in files. */
const parameters: { readonly [attribute: string]: string } = {
  'database.type': 'db_type',
  'database.host': 'db_host',
  'database.socket': 'db_socket',
  'database.port': 'db_port',
  'database.name': 'db_name',
  'database.schema': 'db_schema',
  'database.username': 'db_user',
  'database.password': 'db_password',
}

/** Two projects in one schema would change each other's rows. */
function refuseSameDatabase(config: Config, registry: Registry): void {
  const wanted = databaseKey(config)
  for (const { key, config: other } of registry.values()) {
    if (databaseKey(other) === wanted) throw fault('database', `The database is that of the project "${key}"`)
  }
}

/** Equal for configurations whose system tables would be in the same schema. */
export function databaseKey({ database }: Pick<Config, 'database'>): string {
  if (database.kind === 'pglite') return `embedded ${database.dataDir}`
  const isMySql = database.kind === 'mysql'
  const usualPort = isMySql ? 3306 : 5432
  const { host = '', port = usualPort, database: name = '', connectionString } = database
  const url = connectionString === undefined ? null : new URL(connectionString)
  const server =
    url === null
      ? [host, port, name]
      : [url.hostname, Number(url.port || usualPort), decodeURIComponent(url.pathname.slice(1))]
  if (isMySql) return JSON.stringify(['mysql', ...server, database.socket ?? null])
  return JSON.stringify([...server, database.searchPath?.[0] ?? 'public'])
}

async function placed(work: Promise<void>, key: string): Promise<void> {
  await work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw fault('taken', `A project named "${key}" already exists`, error)
    throw fault('file', `The configuration file cannot be written: ${error.code ?? 'an error'}`, error)
  })
}

async function remove(key: string, { registry, source }: ManageOptions): Promise<void> {
  const { files } = await readProjectsFolder(source.settings.folder)
  const file = files.find((each) => each.key === key)
  const entry = registry.entries().find((each) => each.key === key)
  if (entry === undefined) throw new TandemError({ kind: 'project-not-found', project: key })
  if (entry.file !== 'json' || file?.kind !== 'json') {
    const by = entry.file === 'php' ? 'a PHP file, which Tandem does not change' : 'the settings of the server'
    throw new TandemError({ kind: 'unprocessable', reason: `The project "${key}" is configured by ${by}` })
  }
  const project = await registry.open(key)
  const gone = join(source.settings.folder, `.deleted-${crypto.randomUUID()}-${key}`)
  await rename(file.path, gone)
  await registry.take(key)
  try {
    await dropSystemTables(project.db)
  } catch (error) {
    await rename(gone, file.path)
    registry.add(entry)
    throw error
  } finally {
    await project.close(() => closeTimeout)
  }
  await rm(gone)
}

const fault = (
  problem: Extract<ConstructorParameters<typeof TandemError>[0], { kind: 'project-fault' }>['problem'],
  reason: string,
  cause?: unknown,
): TandemError => new TandemError({ kind: 'project-fault', problem, reason }, cause === undefined ? {} : { cause })
