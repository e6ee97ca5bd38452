/** `tandem-verify diff`: reads two documents and compares them. */
import { readFile } from 'node:fs/promises'
import { parseText } from '../spec/document.ts'
import { type Change, changesText } from './change.ts'
import { readUses, withClients } from './clients.ts'
import { compareOpenapi } from './openapi.ts'
import { compareSdl } from './sdl.ts'

/** `isUsed`: a client is counted for a breaking change; null without counts. */
export type Comparison = { readonly text: string; readonly isBreaking: boolean; readonly isUsed: boolean | null }

type Compared = {
  readonly before: string
  readonly after: string
  readonly isJson: boolean
  /** Sent to addresses, because what a deployment serves depends on the rights of the caller. */
  readonly token: string | null
  /** File or address of counted uses; null = none. */
  readonly usage: string | null
}

/** Files or addresses of two documents of one kind. Rejects for others. */
export async function compareDocuments({ before, after, isJson, token, usage }: Compared): Promise<Comparison> {
  const [old, now] = await Promise.all([load(before, token), load(after, token)])
  const differences = compareTexts(old, now)
  const changes =
    usage === null ? differences : withClients(differences, readUses(await load(usage, token)), isSdl(old) ? old : null)
  const breaking = changes.filter((each) => each.isBreaking)
  const isBreaking = breaking.length > 0
  const isUsed = usage === null ? null : breaking.some(({ clients }) => (clients ?? []).length > 0)
  return { isBreaking, isUsed, text: isJson ? `${JSON.stringify(changes, null, 2)}\n` : changesText(changes) }
}

/** Two OpenAPI documents or two GraphQL schemas. */
export function compareTexts(before: string, after: string): readonly Change[] {
  const [old, now] = [isSdl(before), isSdl(after)]
  if (old !== now) throw new Error('One document is OpenAPI and the other one GraphQL')
  return old ? compareSdl(before, after) : compareOpenapi(parseText(before), parseText(after))
}

const isSdl = (text: string): boolean =>
  /^\s*("""|#|type |schema |scalar |directive |input |enum |union |interface )/.test(text) && !/^openapi:/m.test(text)

async function load(address: string, token: string | null): Promise<string> {
  if (!/^https?:/.test(address)) return readFile(address, 'utf8')
  const response = await fetch(address, token === null ? {} : { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${address} answers ${response.status}`)
  return response.text()
}
