/** Clients that public generators make of an OpenAPI document, compiled strictly. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { generateSource } from 'oazapfts'
import openapiTs, { astToString } from 'openapi-typescript'
import { generate } from 'orval'

/** Clients on disk, so that a test can import them. */
export type Clients = {
  /** Types of `openapi-typescript`, and a call of `openapi-fetch` by them. */
  readonly types: string
  /** Types, functions and a fetch client of `@hey-api/openapi-ts`. */
  readonly heyApi: string
  /** One module of `oazapfts`. */
  readonly oazapfts: string
  /** One module of `orval`, with functions that call `fetch`. */
  readonly orval: string
  readonly remove: () => void
}

/** Calls by the types alone. */
const fetching = `import createClient from 'openapi-fetch'
import type { paths } from './types.ts'
const client = createClient<paths>({ baseUrl: '' })
const { data } = await client.GET('/users/{id}', { params: { path: { id: 'a' }, query: { fields: 'email' } } })
export const email: string | null | undefined = data?.data?.email
`

/** Writes the clients of a document; those of `orval` call the server at `baseUrl`, which the others are told later. */
export async function writeClientsOf(document: object, baseUrl: string): Promise<Clients> {
  const folder = mkdtempSync(join(import.meta.dirname, 'client-'))
  const [types, heyApi, oazapfts] = [join(folder, 'types'), join(folder, 'hey-api'), join(folder, 'oazapfts')]
  const orval = join(folder, 'orval')
  mkdirSync(types)
  const text = astToString(await openapiTs(structuredClone(document) as never))
  writeFileSync(join(types, 'types.ts'), text)
  writeFileSync(join(types, 'openapi-fetch.ts'), fetching)
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
  await generate({
    input: { target: given },
    output: {
      target: join(orval, 'client.ts'),
      client: 'fetch',
      baseUrl,
      urlEncodeParameters: true,
      // A type of its own named `File` would hide that of forms.
      override: { components: { schemas: { suffix: 'Schema' } } },
    },
  })
  return { types, heyApi, oazapfts, orval, remove: () => rmSync(folder, { recursive: true }) }
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
