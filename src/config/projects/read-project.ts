/** Reads the configuration of a project: attributes of a file as settings, on top of those of the server. */
import { isAbsolute, join, resolve } from 'node:path'
import type { Config, ProjectsSettings } from '../sections.ts'
import { attributes, entriesOf, type OwnSettings, objects, translate } from './attributes.ts'
import { ProjectError, toProjectError } from './error.ts'
import type { Plain } from './php-array.ts'

export type ProjectContents = {
  readonly key: string
  readonly contents: Plain
  /** Folder of the project's own data. */
  readonly dataDir: string
  /** Folder that a relative path of the storage is in. */
  readonly base: string
  /** Whether the storage must be below `base`. */
  readonly isConfined?: boolean
}

/** Settings of the server that an object replaces as a whole. */
const replaced: { readonly [name: string]: readonly string[] } = {
  cors: ['CORS_'],
  cache: ['CACHE_', 'REDIS'],
  mail: ['EMAIL_'],
  rate_limit: ['RATE_LIMITER_ENABLED', 'RATE_LIMITER_POINTS', 'RATE_LIMITER_DURATION', 'RATE_LIMITER_STORE', 'REDIS'],
}

/** Throws a `ProjectError` that names the attribute. */
export function readProject(project: ProjectContents, { read }: Pick<ProjectsSettings, 'read'>): Config {
  const own = new Map<string, OwnSettings[string]>()
  const gone: string[] = []
  for (const [name, value] of entriesOf(project.contents, '')) {
    const settings = Object.hasOwn(objects, name)
      ? readObject(name as keyof typeof objects, value, project)
      : translate({ [name]: value }, attributes, '')
    for (const [setting, each] of Object.entries(settings)) {
      const earlier = own.get(setting)
      if (earlier !== undefined && earlier.text !== each.text)
        throw new ProjectError(each.at, `the same value as for ${earlier.at}`, 'another one')
      own.set(setting, each)
    }
    const isSender = name === 'mail' && settings['EMAIL_TRANSPORT'] === undefined
    gone.push(...(isSender ? [] : (replaced[name] ?? [])))
  }
  const usual = { DB_CLIENT: 'pg', DATA_DIR: project.dataDir, ...withoutAdministrator(own) }
  const lines = new Map([...own].map(([setting, { at }]) => [setting, at]))
  try {
    const input = { ...usual, ...usualHost(own), ...textsOf(own) }
    return { ...read(input, gone), leavesSetup: own.get('ADMIN_SETUP')?.text === 'true', projects: null }
  } catch (error) {
    throw toProjectError(error, lines)
  }
}

const textsOf = (own: ReadonlyMap<string, OwnSettings[string]>): { readonly [setting: string]: string } =>
  Object.fromEntries([...own].map(([setting, { text }]) => [setting, text]))

/** A file without the object `admin` is that of a database that has its users. */
const withoutAdministrator = (own: ReadonlyMap<string, unknown>): { readonly ADMIN_SETUP?: string } =>
  own.has('ADMIN_EMAIL') ? {} : { ADMIN_SETUP: 'true' }

const usualHost = (own: ReadonlyMap<string, OwnSettings[string]>): { readonly DB_HOST?: string } =>
  own.get('DB_CLIENT')?.text === 'pglite' ? {} : { DB_HOST: 'localhost' }

function readObject(name: keyof typeof objects, value: Plain, project: ProjectContents): OwnSettings {
  const settings = translate(value, objects[name], name)
  switch (name) {
    case 'database':
      return toDatabase(settings)
    case 'cors':
      return { CORS_ENABLED: usually('true', name), CORS_ORIGIN: usually('*', name), ...settings }
    case 'cache':
      return toCache(settings)
    case 'rate_limit':
      return toRates(settings)
    case 'storage':
      return toStorage(settings, project)
    default:
      return settings
  }
}

const usually = (text: string, at: string): OwnSettings[string] => ({ text, at })

/** The driver takes the folder of a socket as the host. */
const toDatabase = ({ DB_SOCKET, ...own }: OwnSettings): OwnSettings =>
  DB_SOCKET === undefined
    ? own
    : own['DB_CLIENT']?.text === 'mysql'
      ? { ...own, DB_SOCKET }
      : { ...own, DB_HOST: DB_SOCKET }

/** Redis is connected to only if the cache is on. Writes are seen at once, as in version 8. */
function toCache({ REDIS_HOST, REDIS_PORT, ...own }: OwnSettings): OwnSettings {
  if (own['CACHE_ENABLED']?.text !== 'true') return { ...own, CACHE_STORE: usually('memory', 'cache.adapter') }
  const settings = { CACHE_AUTO_PURGE: usually('true', 'cache'), ...own }
  if (own['CACHE_STORE']?.text !== 'redis') return settings
  if (REDIS_HOST === undefined) throw new ProjectError('cache.host', 'a value with the adapter redis', 'nothing')
  return { ...settings, REDIS_HOST, ...(REDIS_PORT === undefined ? {} : { REDIS_PORT }) }
}

/** Counters in Redis need its address; those of a limiter that is off need nothing. */
function toRates({ REDIS_HOST, REDIS_PORT, ...own }: OwnSettings): OwnSettings {
  const usual = {
    RATE_LIMITER_POINTS: usually('100', 'rate_limit'),
    RATE_LIMITER_DURATION: usually('60', 'rate_limit'),
  }
  const store = own['RATE_LIMITER_STORE']
  if (own['RATE_LIMITER_ENABLED']?.text !== 'true' || store?.text !== 'redis')
    return { ...usual, ...own, RATE_LIMITER_STORE: usually('memory', 'rate_limit.adapter') }
  if (REDIS_HOST === undefined) throw new ProjectError('rate_limit.host', 'a value with the adapter redis', 'nothing')
  return { ...usual, ...own, REDIS_HOST, ...(REDIS_PORT === undefined ? {} : { REDIS_PORT }) }
}

function toStorage(own: OwnSettings, project: ProjectContents): OwnSettings {
  const adapter = own['STORAGE_*_DRIVER']
  if (adapter === undefined) throw new ProjectError('storage.adapter', 'local or s3', 'nothing')
  const root = own['STORAGE_*_ROOT']
  const rooted =
    adapter.text === 'local' && root !== undefined
      ? { ...own, 'STORAGE_*_ROOT': { ...root, text: toFolder(root, project) } }
      : own
  const named = Object.entries(rooted).map(([setting, each]) => [
    setting.replace('*', adapter.text.toUpperCase()),
    each,
  ])
  return { ...(Object.fromEntries(named) as OwnSettings), STORAGE_LOCATIONS: usually(adapter.text, adapter.at) }
}

/** Paths do not lead upwards, and those of requests stay in the folder of the project. */
function toFolder({ text, at }: OwnSettings[string], { base, isConfined = false }: ProjectContents): string {
  const got = JSON.stringify(text.slice(0, 80))
  if (text.includes('\0') || text.split(/[\\/]/).includes('..')) throw new ProjectError(at, 'a path without ..', got)
  if (isConfined && isAbsolute(text)) throw new ProjectError(at, 'a relative path', got)
  return isAbsolute(text) ? resolve(text) : join(base, text)
}
