/** Reads the folders of other tools into one form: a snapshot of the data model, and rows by system collection. */

import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isRecord } from '../../domain/is-record.ts'

export type ForeignRow = { readonly [field: string]: unknown }

export type ForeignProject = {
  /** As people call it. */
  readonly tool: string
  /** In the format of the platform's servers; null = absent. */
  readonly snapshot: object | null
  /** By the name of the system collection without its prefix, such as `roles`. */
  readonly rows: { readonly [collection: string]: readonly ForeignRow[] }
  /** The field that identifies a row in references of others. */
  readonly id: string
}

/** Null for a folder of another kind. */
export async function readForeign(root: string): Promise<ForeignProject | null> {
  const names = await namesIn(root)
  if (names.includes('schema') && (await hasFile(root, 'schema', 'metadata.json'))) return readEnvironmentSync(root)
  const isSync = (await jsonNames(join(root, 'collections'))).some((name) => recordFiles.has(name))
  return isSync || (await hasFile(root, 'snapshot', 'info.json')) ? readDirectusSync(root) : null
}

/** Empty for a folder that is not there. */
const namesIn = (folder: string, recursive = false): Promise<readonly string[]> =>
  readdir(folder, { recursive }).catch((): readonly string[] => [])

/** System collections whose rows are read. */
export const readRows = [
  'dashboards',
  'panels',
  'permissions',
  'policies',
  'presets',
  'roles',
  'settings',
  'translations',
]

const recordFiles: ReadonlySet<string> = new Set(readRows.map((name) => `${name}.json`))

async function hasFile(...path: readonly string[]): Promise<boolean> {
  const names = await namesIn(join(...path.slice(0, -1)))
  return names.includes(path.at(-1) ?? '')
}

async function jsonNames(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder)
  return names.filter((name) => name.endsWith('.json')).toSorted()
}

/** A dump of `directus-sync`: `collections/*.json` with a list each, and the snapshot in one file or in many. */
async function readDirectusSync(root: string): Promise<ForeignProject> {
  const rows: { [collection: string]: readonly ForeignRow[] } = {}
  for (const name of await jsonNames(join(root, 'collections')))
    rows[name.slice(0, -'.json'.length)] = listOf(await readJson(root, 'collections', name), `collections/${name}`)
  return { tool: 'directus-sync', snapshot: await readSplitSnapshot(root), rows, id: '_syncId' }
}

async function readSplitSnapshot(root: string): Promise<object | null> {
  if (await hasFile(root, 'snapshot.json')) return objectOf(await readJson(root, 'snapshot.json'), 'snapshot.json')
  if (!(await hasFile(root, 'snapshot', 'info.json'))) return null
  const parts: { [part: string]: unknown[] } = { collections: [], fields: [], relations: [] }
  for (const [part, entries] of Object.entries(parts)) {
    const folder = join(root, 'snapshot', part)
    const files = await namesIn(folder, true)
    for (const file of files.filter((name) => name.endsWith('.json')).toSorted())
      entries.push(...[await readJson(folder, file)].flat())
  }
  return { ...objectOf(await readJson(root, 'snapshot', 'info.json'), 'snapshot/info.json'), ...parts }
}

/** The files of the platform's own program: `schema` and `data`, each with a list of its files in `metadata.json`. */
async function readEnvironmentSync(root: string): Promise<ForeignProject> {
  const schema = await readListed(root, 'schema')
  const { snapshot } = schema.metadata as { readonly snapshot?: unknown }
  const of = (part: string): readonly unknown[] =>
    schema.files.flatMap(({ name, content }) => listOf(content[part] ?? [], `${name}: ${part}`))
  const data = (await hasFile(root, 'data', 'metadata.json')) ? (await readListed(root, 'data')).files : []
  const rows = data.map(({ name, content }): [string, readonly ForeignRow[]] => [
    String(content['collection']).replace(/^directus_/, ''),
    listOf(content['records'], name),
  ])
  return {
    tool: 'the environment sync of the platform',
    snapshot: {
      ...objectOf(snapshot, 'schema/metadata.json'),
      collections: schema.files.flatMap(({ content }) =>
        content['definition'] == null ? [] : [content['definition']],
      ),
      fields: of('fields'),
      relations: of('relations'),
    },
    rows: Object.fromEntries(rows),
    id: 'id',
  }
}

type Listed = { readonly metadata: ForeignRow; readonly files: readonly { name: string; content: ForeignRow }[] }

async function readListed(root: string, folder: string): Promise<Listed> {
  const metadata = objectOf(await readJson(root, folder, 'metadata.json'), `${folder}/metadata.json`)
  const files: { name: string; content: ForeignRow }[] = []
  for (const name of listOf(metadata['files'], `${folder}/metadata.json`) as unknown as readonly unknown[]) {
    // Only files of the folder itself.
    if (typeof name !== 'string' || !/^[\w-]+\.json$/.test(name))
      throw new Error(`${folder}/metadata.json: expected names of files in "files", got ${JSON.stringify(name)}`)
    files.push({
      name: `${folder}/${name}`,
      content: objectOf(await readJson(root, folder, name), `${folder}/${name}`),
    })
  }
  return { metadata, files }
}

async function readJson(root: string, ...path: readonly string[]): Promise<unknown> {
  const file = join(root, ...path)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${relative(root, file)}: expected a file, got ${error.code === 'ENOENT' ? 'none' : error.message}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${relative(root, file)}: expected JSON, got ${(error as Error).message}`, { cause: error })
  }
}

function listOf(value: unknown, path: string): readonly ForeignRow[] {
  if (Array.isArray(value)) return value as readonly ForeignRow[]
  // A dump has the settings as a list of one, other versions as an object.
  if (typeof value === 'object' && value !== null) return [value as ForeignRow]
  throw new Error(`${path}: expected a list, got ${JSON.stringify(value) ?? 'nothing'}`)
}

function objectOf(value: unknown, path: string): ForeignRow {
  if (isRecord(value)) return value
  throw new Error(`${path}: expected an object, got ${JSON.stringify(value) ?? 'nothing'}`)
}
