/** `tandem-verify diff`: reads two documents and compares them. */
import { readFile } from 'node:fs/promises'
import { parseText } from '../spec/document.ts'
import { type Change, changesText } from './change.ts'
import { compareOpenapi } from './openapi.ts'
import { compareSdl } from './sdl.ts'

export type Comparison = { readonly text: string; readonly isBreaking: boolean }

type Compared = {
  readonly before: string
  readonly after: string
  readonly isJson: boolean
  /** Sent to addresses, because what a deployment serves depends on the rights of the caller. */
  readonly token: string | null
}

/** Files or addresses of two documents of one kind. Rejects for others. */
export async function compareDocuments({ before, after, isJson, token }: Compared): Promise<Comparison> {
  const [old, now] = await Promise.all([load(before, token), load(after, token)])
  const changes = compareTexts(old, now)
  const isBreaking = changes.some((each) => each.isBreaking)
  return { text: isJson ? `${JSON.stringify(changes, null, 2)}\n` : changesText(changes), isBreaking }
}

/** Two OpenAPI documents or two GraphQL schemas. */
export function compareTexts(before: string, after: string): readonly Change[] {
  const [old, now] = [isSdl(before), isSdl(after)]
  if (old !== now) throw new Error('One document is OpenAPI and the other one GraphQL')
  return old ? compareSdl(before, after) : compareOpenapi(parseText(before), parseText(after))
}

const isSdl = (text: string): boolean =>
  /^\s*("""|#|type |schema |scalar |directive |input |enum |union |interface )/.test(text) && !/^openapi:/m.test(text)

async function load(place: string, token: string | null): Promise<string> {
  if (!/^https?:/.test(place)) return readFile(place, 'utf8')
  const response = await fetch(place, token === null ? {} : { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${place} answers ${response.status}`)
  return response.text()
}
