/** Configuration files in the folder of projects, by name. */
import { chmod, link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Plain } from './php-array.ts'

export type ProjectFile = {
  readonly key: string
  readonly path: string
  readonly kind: 'json' | 'php'
  /** Begins with `private.`: lists do not show the project. */
  readonly isPrivate: boolean
}

/** The contents of the folder of projects. */
export type ProjectsFolder = {
  readonly files: readonly ProjectFile[]
  /** Keys of projects under maintenance: `maintenance` for `_`, `maintenance.<key>` for others. */
  readonly resting: ReadonlySet<string>
  /** Whether `.lock` forbids requests to change projects. */
  readonly isLocked: boolean
  /** Names of configuration files whose key cannot be used. */
  readonly ignored: readonly string[]
}

/** Keys are compared without case, so only lower case is used. */
export const isProjectKey = (text: string): boolean => /^[0-9a-z_-]{1,63}$/.test(text)

/**
 * Reads the names in the folder; a missing folder is empty. Of several files of a project JSON comes first, and then the
 * names that begin with `api` or `private`.
 */
export async function readProjectsFolder(folder: string): Promise<ProjectsFolder> {
  const names = await namesIn(folder)
  const files = new Map<string, ProjectFile>()
  for (const is of [isJson, isPrefixed, isPlain]) {
    for (const name of names.filter(is)) {
      const file = toFile(folder, name)
      if (file !== null && !files.has(file.key)) files.set(file.key, file)
    }
  }
  const flags = names.map((name) => /^maintenance(?:\.([^.]+))?$/.exec(name)).filter((match) => match !== null)
  const resting = new Set(flags.map(([, key = '_']) => key))
  const ignored = names.filter((name) => (isPrefixed(name) || isPlain(name)) && toFile(folder, name) === null)
  const byName = [...files.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1))
  return { files: byName, resting, isLocked: names.includes('.lock'), ignored }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const isPrefixed = (name: string): boolean => /^(api|private)\.(.*\.)?(json|php)$/.test(name)
const isJson = (name: string): boolean => isPrefixed(name) && name.endsWith('.json')
/** The names of version 8.8, which does not look at others that begin with an underscore, such as its example. */
const isPlain = (name: string): boolean => /^([^._][^.]*|_)\.php$/.test(name) && !isPrefixed(name)

function toFile(folder: string, name: string): ProjectFile | null {
  const [, prefix, key = '_', kind] = /^(api|private)(?:\.([^.]+))?\.(json|php)$/.exec(name) ?? plainParts(name)
  if (prefix === undefined || !isProjectKey(key)) return null
  return { key, path: join(folder, name), kind: kind as ProjectFile['kind'], isPrivate: prefix === 'private' }
}

const plainParts = (name: string): readonly string[] =>
  isPlain(name) ? ['', '', name.slice(0, -'.php'.length), 'php'] : []

/** The key of the project that a file configures by its name; null for a name that no such file has. */
export const projectKeyOf = (path: string): string | null => toFile(dirname(path), basename(path))?.key ?? null

/** Bytes of a configuration file. */
const largest = 1_048_576

/** Parses the file. PHP is read as data. */
export async function readProjectFile({ path, kind }: Pick<ProjectFile, 'path' | 'kind'>): Promise<Plain> {
  const { size } = await stat(path)
  if (size > largest) throw new Error(`Expected at most ${largest} bytes but received ${size}`)
  const text = await readFile(path, 'utf8')
  return kind === 'json' ? parseJson(text) : (await import('./php-array.ts')).readPhpArray(text, path)
}

function parseJson(text: string): Plain {
  try {
    return JSON.parse(text) as Plain
  } catch (error) {
    throw withoutQuotes(error as Error, text)
  }
}

/** The error of the parser quotes the file, which may hold passwords. */
function withoutQuotes({ message }: Error, text: string): Error {
  const [, at] = /at position (\d+)/.exec(message) ?? []
  const line = at === undefined ? '' : ` in line ${text.slice(0, Number(at)).split('\n').length}`
  return new Error(`Expected JSON${line} but received something else`)
}

/** Writes the file beside its place. The result puts it there, and fails with EEXIST if there is a file already. */
export async function draftProjectFile(path: string, contents: object): Promise<Draft> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = join(dirname(path), `.draft-${crypto.randomUUID()}-${basename(path)}`)
  await writeFile(draft, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await chmod(draft, 0o600)
  return { save: () => link(draft, path), drop: () => rm(draft, { force: true }) }
}

export type Draft = { readonly save: () => Promise<void>; readonly drop: () => Promise<void> }
