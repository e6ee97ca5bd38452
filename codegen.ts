/**
 * Generates files from the specs. `npm run codegen` writes them; `npm run codegen -- --check` lists stale ones and fails.
 * A generator is a function from specs to files, and writes nothing.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateAdministrative } from './codegen/administrative.ts'
import { loadSpec } from './codegen/bundle.ts'
import { generateEvents } from './codegen/events.ts'
import { generateGenerationsTables } from './codegen/generations.ts'
import { generateExampleDocuments, generateGraphqlTypes, generateRecordSdl } from './codegen/graphql.ts'
import { lintSpec } from './codegen/lint.ts'
import { generateMockTables } from './codegen/mock-tables.ts'
import type { Generator } from './codegen/model.ts'
import { generateReference } from './codegen/reference/reference.ts'
import { generateSdk } from './codegen/sdk.ts'
import { generateSdkRecords } from './codegen/sdk-records.ts'
import { generateSdkResources } from './codegen/sdk-resources.ts'
import { generateSdkSystemRecords } from './codegen/sdk-system-records.ts'
import { generateSuccessors, lintSuccessors } from './codegen/successors.ts'
import { generateOpenApiTypes, generateOperations, generateSpecFiles } from './codegen/types.ts'

const generators: readonly Generator[] = [
  generateOpenApiTypes,
  generateOperations,
  generateSpecFiles,
  generateSdk,
  generateSdkRecords,
  generateSdkSystemRecords,
  generateSdkResources,
  generateGenerationsTables,
  generateSuccessors,
  generateAdministrative,
  generateRecordSdl,
  generateEvents,
  generateGraphqlTypes,
  generateExampleDocuments,
  generateReference,
  generateMockTables,
]

const root = dirname(fileURLToPath(import.meta.url))

const isStale = (path: string, text: string): boolean => !existsSync(path) || readFileSync(path, 'utf8') !== text

const specs = await Promise.all([loadSpec('current'), loadSpec('legacy')])
const faults = [...specs.flatMap(lintSpec), ...lintSuccessors(specs)]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)

const files = (await Promise.all(generators.map((generate) => generate(specs)))).flat()
const stale = files.filter(({ path, text }) => isStale(join(root, path), text))

if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`stale: ${path}`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.info(`written: ${path}`)
  }
}
