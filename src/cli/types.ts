/** `tandem types`: the types of a project for the SDK, whose own program writes them too. */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { askServer, isAddress } from '../../sdk/src/project-types/ask-server.ts'
import { typeDifferences, usesOfTypes } from '../../sdk/src/project-types/check-types.ts'
import { systemRecords } from '../../sdk/src/project-types/generated/system-records.ts'
import { type DataModel, typesOfModel } from '../../sdk/src/project-types/item-types.ts'
import { readEnvironment } from '../config/config.ts'
import { ConfigError } from '../config/error.ts'
import type { ReadUse } from '../core/usage/read-usage.ts'
import { usageLimits } from '../core/usage/usage.ts'
import { fromYaml } from '../exchange/documents.ts'
import { print } from './database.ts'
import { ago } from './project/plan-words.ts'
import { withConnection } from './project/with-connection.ts'
import { differs, takeSnapshot } from './schema.ts'

export type TypesOptions = {
  readonly url?: string
  readonly token?: string
  readonly snapshot?: string
  readonly output?: string
  readonly check?: string
}

/** Writes the types to a file, or prints them, or compares them with those of a file; resolves to the exit code. */
export async function printTypes(input: TypesOptions): Promise<number> {
  const token = input.token ?? readEnvironment()['TANDEM_TOKEN']
  const options = input.url === undefined || token === undefined ? input : { ...input, token }
  const existing = options.check === undefined ? null : await readTypes(options.check)
  const text = typesOfModel(await readModel(options), systemRecords)
  if (existing !== null) {
    const lines = typeDifferences(existing, text)
    const clients = lines.length === 0 ? new Map<string, readonly string[]>() : await clientsOf(existing, options)
    for (const line of lines.length === 0 ? ['Nothing differs.'] : lines) {
      print(line)
      for (const client of clients.get(line.split(/[: ?]/, 1)[0] ?? '') ?? []) print(`  ${client}`)
    }
    return lines.length === 0 ? 0 : differs
  }
  if (options.output !== undefined) await writeFile(options.output, text)
  else if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  return 0
}

/** The clients that are counted for each type and member; none where the use is not counted, or not shown. */
async function clientsOf(existing: string, { url, token, snapshot }: TypesOptions) {
  if (snapshot !== undefined || (url !== undefined && token === undefined)) return new Map<string, readonly string[]>()
  const target = url === undefined || token === undefined ? {} : { url, token }
  const all = { client: null, generation: null, operation: null, limit: usageLimits.rows }
  const uses = await withConnection(target, 'tandem types', (connection) => connection.usage(all)).catch(
    (): readonly ReadUse[] => [],
  )
  const now = new Date()
  const counted = uses.filter(({ access }) => access !== 'call')
  return new Map(
    [...usesOfTypes(existing, counted)].map(([path, own]) => [
      path,
      [...Map.groupBy(own, ({ client }) => client)].map(([client, some]) => useLine(client, some, now)),
    ]),
  )
}

const useLine = (client: string, uses: readonly ReadUse[], now: Date): string => {
  const operations = [...new Set(uses.map(({ operation, path }) => `${operation} ${path}`))].join(', ')
  const [last = ''] = uses
    .map((use) => use.last)
    .toSorted()
    .toReversed()
  return `used by ${client} (last call ${ago(last, now)}) at ${operations}`
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
  const content = snapshot === undefined ? await takeSnapshot() : fromYaml(await readFile(snapshot, 'utf8'))
  const { collections, fields, relations } = (content ?? {}) as Partial<DataModel>
  if (!Array.isArray(collections) || !Array.isArray(fields) || !Array.isArray(relations)) {
    throw new ConfigError('--snapshot', 'a file of "tandem schema snapshot"', snapshot ?? '')
  }
  // Of the platform's own collections, a snapshot contains only the fields that a project added.
  const added = [...new Set(fields.map(({ collection }) => collection))]
    .filter((name) => name.startsWith('platform_'))
    .map((collection) => ({ collection }))
  return { collections: [...collections, ...added], fields, relations, rights: null }
}
