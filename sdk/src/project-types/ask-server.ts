/** The data model of a running server. */
import type { DataModel } from './item-types.ts'

/** Whether the text is an address that a server can have. */
export const isAddress = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text)

/** The data model as far as the token may see it, and what it may write. */
export async function askServer(url: string, token: string | undefined): Promise<DataModel> {
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
    if (response.status === 401) throw new Error(`GET ${address} was refused: ${needsToken}`)
    if (response.status === 403) throw new Error(`GET ${address} was forbidden: ${needsModel}`)
    if (!response.ok) throw new Error(`GET ${address} answered with ${response.status}: ${text.slice(0, 300)}`)
    return readData(text, address) as Data
  }
}

const needsToken = 'the server does not know the token, or it has expired'

const needsModel = 'the token has to read the data model, as the users of a policy with "app_access" do'

/** What stopped a request before its answer: the error that `fetch` wraps. */
const causeOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message)

function readData(text: string, address: string): unknown {
  const data = parse(text)?.data
  if (typeof data === 'object' && data !== null) return data
  throw new Error(`GET ${address} answered with something else than Tandem does: ${text.slice(0, 300)}`)
}

function parse(text: string): { readonly data?: unknown } | null {
  try {
    return JSON.parse(text) as { readonly data?: unknown } | null
  } catch {
    return null
  }
}
