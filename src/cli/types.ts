/** `tandem types`: the types of a project for the SDK, whose own program writes them too. */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { askServer, isAddress } from '../../sdk/src/project-types/ask-server.ts'
import { systemRecords } from '../../sdk/src/project-types/generated/system-records.ts'
import { type DataModel, typesOfModel } from '../../sdk/src/project-types/item-types.ts'
import { ConfigError } from '../config/error.ts'
import { fromYaml } from '../exchange/documents.ts'
import { print } from './database.ts'
import { typeDifferences } from './project/check-types.ts'
import { differs, takeSnapshot } from './schema.ts'

export type TypesOptions = {
  readonly url?: string
  readonly token?: string
  readonly snapshot?: string
  readonly output?: string
  readonly check?: string
}

/** Writes the types to a file, or prints them, or compares them with those of a file; resolves to the exit code. */
export async function printTypes(options: TypesOptions): Promise<number> {
  const known = options.check === undefined ? null : await readTypes(options.check)
  const text = typesOfModel(await readModel(options), systemRecords)
  if (known !== null) {
    const lines = typeDifferences(known, text)
    for (const line of lines.length === 0 ? ['Nothing differs.'] : lines) print(line)
    return lines.length === 0 ? 0 : differs
  }
  if (options.output !== undefined) await writeFile(options.output, text)
  else if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  return 0
}

const readTypes = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const received = error.code === 'ENOENT' ? 'no such file' : error.message
    throw new ConfigError('--check', 'a file of "tandem types"', received)
  })

async function readModel({ url, token, snapshot }: TypesOptions): Promise<DataModel> {
  if (url !== undefined) {
    if (!isAddress(url)) throw new ConfigError('--url', 'an address such as "https://api.example.com"', url)
    return askServer(url, token)
  }
  const found = snapshot === undefined ? await takeSnapshot() : fromYaml(await readFile(snapshot, 'utf8'))
  const { collections, fields, relations } = (found ?? {}) as Partial<DataModel>
  if (!Array.isArray(collections) || !Array.isArray(fields) || !Array.isArray(relations)) {
    throw new ConfigError('--snapshot', 'a file of "tandem schema snapshot"', snapshot ?? '')
  }
  // A snapshot tells of the platform's own collections only the fields that a project added to them.
  const added = [...new Set(fields.map(({ collection }) => collection))]
    .filter((name) => name.startsWith('platform_'))
    .map((collection) => ({ collection }))
  return { collections: [...collections, ...added], fields, relations, rights: null }
}
