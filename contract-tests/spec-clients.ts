/** Clients that public generators make of an OpenAPI document, compiled strictly. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { generateSource } from 'oazapfts'
import openapiTs, { astToString } from 'openapi-typescript'
import { compileTypes } from './compile-types.ts'

/** Types of `openapi-typescript`; returns what the compiler says. */
export async function compileTypesOf(document: object): Promise<readonly string[]> {
  const text = astToString(await openapiTs(structuredClone(document) as never))
  return compileTypes({ 'served-types.ts': text }).failures
}

/** Clients on disk, so that a test can import them. */
export type Clients = {
  /** Types, functions and a fetch client of `@hey-api/openapi-ts`. */
  readonly heyApi: string
  /** One module of `oazapfts`. */
  readonly oazapfts: string
  readonly remove: () => void
}

export async function writeClientsOf(document: object): Promise<Clients> {
  const folder = mkdtempSync(join(import.meta.dirname, 'client-'))
  const [heyApi, oazapfts] = [join(folder, 'hey-api'), join(folder, 'oazapfts')]
  await createClient({
    input: structuredClone(document) as Record<string, unknown>,
    output: { path: heyApi, postProcess: [] },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  })
  mkdirSync(oazapfts)
  const given = join(folder, 'spec.json')
  writeFileSync(given, JSON.stringify(document))
  writeFileSync(join(oazapfts, 'client.ts'), await generateSource(given))
  return { heyApi, oazapfts, remove: () => rmSync(folder, { recursive: true }) }
}

/** What the compiler says about the files of a client. */
export function compileClient(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const within = folder.slice(import.meta.dirname.length + 1)
  const files = names.map((name) => [join(within, name), readFileSync(join(folder, name), 'utf8')])
  // The clients are not written for exact optional properties.
  return compileTypes(Object.fromEntries(files), { exactOptionalPropertyTypes: false }).failures
}
