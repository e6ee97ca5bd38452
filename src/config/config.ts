/** Configuration: the only reader of `process.env`. `config/settings.ts` contains the table of settings. */
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Environment } from './environment.ts'
import { ConfigError } from './error.ts'
import type { ReadSetting, Setting } from './kinds.ts'
import { findMisspelt } from './misspelt.ts'
import { inherited } from './projects/inherited.ts'
import { toProviders } from './providers/providers.ts'
import { type Config, toConfig } from './sections.ts'
import { settingList, type Values } from './settings.ts'
import { toLocations } from './storage.ts'

/** Reads settings from the environment and the `.env` file of the folder (the environment takes precedence), and validates them. */
export function loadConfig(environment: Environment = process.env, folder: string = process.cwd()): Config {
  return readConfig({ ...readDotEnv(folder), ...withoutEmpty(environment) }, folder)
}

/** The environment of the process, for what is no setting. */
export const readEnvironment = (): Environment => process.env

/** Checks and types settings; paths are relative to the folder. */
export function readConfig(merged: Environment, folder: string): Config {
  const values = Object.fromEntries(settingList.map(([name, row]) => [name, readSetting(name, row, merged)]))
  const typed = values as unknown as Values
  const dataDir = resolve(folder, typed.DATA_DIR)
  const read: ReadSetting = (name, row) => readSetting(name, row, merged)
  const providers = toProviders(typed, read, merged)
  return {
    ...toConfig(typed, dataDir),
    providers,
    storage: toLocations(typed.STORAGE_LOCATIONS, read, { folder, dataDir }),
    projects: toProjects(typed, merged, folder),
    misspelt: findMisspelt(Object.keys(merged), typed.STORAGE_LOCATIONS, providers.list),
  }
}

function toProjects(values: Values, merged: Environment, folder: string): Config['projects'] {
  if (values.PROJECTS_DIR === null) return null
  return {
    folder: resolve(folder, values.PROJECTS_DIR),
    superAdminToken: values.SUPER_ADMIN_TOKEN,
    read: (own, replaced) => readConfig({ ...inherited(merged, own, replaced), ...own }, folder),
  }
}

/** The configured secret; otherwise the generated secret in the data directory. */
export function loadSecret(config: Config): { readonly secret: string; readonly secretFile: string | null } {
  if (config.secret !== null) return { secret: config.secret, secretFile: null }
  const file = join(config.dataDir, 'secret')
  return { secret: readOrCreate(file, randomSecret), secretFile: file }
}

const randomSecret = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url')

/** Reads the file, or creates it atomically: if two processes start at once, the second one reads the file of the first. */
function readOrCreate(file: string, make: () => string): string {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    const present = readIfThere(file)
    if (present !== null) return present.trim()
    writeFileSync(draft, `${make()}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ConfigError('SECRET', `a value, or a DATA_DIR to keep a generated one in`, `${reason} for ${file}`)
  }
}

function readDotEnv(folder: string): Environment {
  const file = join(folder, '.env')
  try {
    const text = readIfThere(file)
    return text === null ? {} : withoutEmpty(parseEnv(text))
  } catch (error) {
    throw new ConfigError('.env', 'a readable file', `${(error as NodeJS.ErrnoException).code} for ${file}`)
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))

function readSetting(name: string, row: Setting<unknown>, environment: Environment): unknown {
  const raw = rawValue(name, environment) ?? row.fallback
  if (raw === null) return null
  const parsed = row.schema.safeParse(raw.trim())
  if (parsed.success) return parsed.data
  throw new ConfigError(name, row.expected, row.secret ? `${raw.length} characters` : JSON.stringify(raw.slice(0, 80)))
}

function rawValue(name: string, environment: Environment): string | null {
  const file = environment[`${name}_FILE`]
  const direct = environment[name]
  if (file === undefined) return direct ?? null
  if (direct !== undefined) throw new ConfigError(name, `either ${name} or ${name}_FILE`, 'both')
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new ConfigError(`${name}_FILE`, 'a readable file', `${(error as NodeJS.ErrnoException).code} for ${file}`)
  }
}
