/** Clients that public generators make of an OpenAPI document, compiled strictly. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTs, { astToString } from 'openapi-typescript'
import { compileTypes } from './compile-types.ts'

/** Types of `openapi-typescript`; returns what the compiler says. */
export async function compileTypesOf(document: object): Promise<readonly string[]> {
  const text = astToString(await openapiTs(structuredClone(document) as never))
  return compileTypes({ 'served-types.ts': text }).failures
}

/** Types, functions and a fetch client of `@hey-api/openapi-ts`; returns what the compiler says. */
export async function compileClientOf(document: object): Promise<readonly string[]> {
  const folder = mkdtempSync(join(import.meta.dirname, 'client-'))
  try {
    await createClient({
      input: structuredClone(document) as Record<string, unknown>,
      output: { path: folder, postProcess: [] },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    })
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const within = folder.slice(import.meta.dirname.length + 1)
    const files = names.map((name) => [join(within, name), readFileSync(join(folder, name), 'utf8')])
    // The runtime of the client itself is not written for exact optional properties.
    return compileTypes(Object.fromEntries(files), { exactOptionalPropertyTypes: false }).failures
  } finally {
    rmSync(folder, { recursive: true })
  }
}
