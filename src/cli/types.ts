/** `tandem types`: the types of a project for the SDK. */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { ConfigError } from '../config/error.ts'
import { fromYaml } from '../exchange/documents.ts'
import { causeOf } from './import-server.ts'
import { type DataModel, type SystemRecord, typesOfModel } from './item-types.ts'
import { takeSnapshot } from './schema.ts'

export type TypesWish = {
  readonly url?: string
  readonly token?: string
  readonly snapshot?: string
  readonly output?: string
}

/** Writes the types to a file, or prints them. */
export async function printTypes(wish: TypesWish): Promise<void> {
  const text = typesOfModel(await readModel(wish), await readRecords())
  if (wish.output !== undefined) await writeFile(wish.output, text)
  else if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

async function readModel({ url, token, snapshot }: TypesWish): Promise<DataModel> {
  if (url !== undefined) return askServer(url, token)
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

/** The data model as far as the token may see it, and what it may write. */
async function askServer(url: string, token: string | undefined): Promise<DataModel> {
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new ConfigError('--url', 'an address such as "https://api.example.com"', url)
  const [collections, fields, relations, rights] = await Promise.all([
    ask<DataModel['collections']>('/collections'),
    ask<DataModel['fields']>('/fields'),
    ask<DataModel['relations']>('/relations'),
    ask<NonNullable<DataModel['rights']>>('/permissions/me'),
  ])
  return { collections, fields, relations, rights }

  async function ask<Data>(path: string): Promise<Data> {
    const address = `${url.replace(/\/+$/, '')}${path}`
    const init = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
    const response = await fetch(address, init).catch((error: Error) => {
      throw new Error(`GET ${address} failed: ${causeOf(error)}`, { cause: error })
    })
    const text = await response.text()
    if (response.status === 403) throw new Error(`GET ${address} was forbidden: ${needsModel}`)
    if (!response.ok) throw new Error(`GET ${address} answered with ${response.status}: ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { readonly data: Data }).data
  }
}

const needsModel = 'the token has to read the data model, as the users of a policy with "app_access" do'

type SpecSchema = {
  readonly 'x-collection'?: string
  readonly properties?: { readonly [name: string]: { readonly type?: unknown } }
}

/** The platform's own records, as the spec of the current generation describes them. */
async function readRecords(): Promise<ReadonlyMap<string, SystemRecord>> {
  const file = new URL('../generated/current-spec.json', import.meta.url)
  const { components } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly components: { readonly schemas: { readonly [name: string]: SpecSchema } }
  }
  return new Map(
    Object.entries(components.schemas).flatMap(([name, { 'x-collection': collection, properties = {} }]) => {
      const key = properties['id']?.type === 'integer' ? 'number' : 'Uuid'
      return collection === undefined ? [] : [[collection, { name, key, properties: new Set(Object.keys(properties)) }]]
    }),
  )
}
