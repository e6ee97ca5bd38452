/** Clients that public generators make of an OpenAPI document, compiled strictly. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { generateSource } from 'oazapfts'
import openapiTs, { astToString } from 'openapi-typescript'

/** Clients on disk, so that a test can import them. */
export type Clients = {
  /** Types of `openapi-typescript`. */
  readonly types: string
  /** Types, functions and a fetch client of `@hey-api/openapi-ts`. */
  readonly heyApi: string
  /** One module of `oazapfts`. */
  readonly oazapfts: string
  readonly remove: () => void
}

export async function writeClientsOf(document: object): Promise<Clients> {
  const folder = mkdtempSync(join(import.meta.dirname, 'client-'))
  const [types, heyApi, oazapfts] = [join(folder, 'types'), join(folder, 'hey-api'), join(folder, 'oazapfts')]
  mkdirSync(types)
  const text = astToString(await openapiTs(structuredClone(document) as never))
  writeFileSync(join(types, 'types.ts'), text)
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
  return { types, heyApi, oazapfts, remove: () => rmSync(folder, { recursive: true }) }
}

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc')

/** What the compiler says about the files of a folder; empty where they compile. */
export async function compile(folder: string): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    // The clients are not written for exact optional properties.
    exactOptionalPropertyTypes: folder.endsWith('types'),
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder], (error, out) => {
      resolve(error === null ? '' : `${out}\n${error.message}`)
    })
  })
}
