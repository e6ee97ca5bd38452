import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './longest-first.ts'

/** Tests of programs as their users start them, of packages as they are published, and of what compilers and linters say. */
const programs = [
  'contract-tests/{client-calls,item-types,oidc-provider,platform-cli,served-spec,sync-tool,type-generators}.test.ts',
  'contract-tests/guide/*.test.ts',
  'mock/{lie-detector,package}.test.ts',
  'sdk/package.test.ts',
  'src/cli/**/*.test.ts',
  'src/deletion.test.ts',
  'verify/{mutants,program}.test.ts',
]
/** Programs that a server of databases may make behave in another way; the others are asked on the embedded database alone. */
const programsOnServers = [
  'src/cli/{existing-database,killed,killed-batch,killed-feed,schema}.test.ts',
  'src/cli/{doctor/doctor,import/import}.test.ts',
  'src/cli/version-eight/{import,in-place,tables}.test.ts',
  'src/cli/feed/*.test.ts',
  'src/cli/project/{killed-push,portable,seed}.test.ts',
]
/** Tests that look at the process itself: at how long it waits, at its memory, at what it has loaded, at its signals. */
const alone = [
  'contract-tests/doors.test.ts',
  'src/memory.test.ts',
  'src/http/app/{connections,listen,pressure}.test.ts',
  'src/http/request/slow-bodies.test.ts',
  'src/mail/mail-loading.test.ts',
  'src/sql/database.test.ts',
  'src/sql/wire/server.test.ts',
]
/** Tests that reach no database, or only the embedded one: on a server they would ask the same once more. */
const withoutServer = [
  'admin/**',
  'codegen/**',
  'sdk/**',
  'contract-tests/{assets-current,assets-legacy,cases,code-samples,container,item-types,mock,pipeline-examples,pipeline-scripts,sdk-version-eight,served-spec,vendors}.test.ts',
  'mock/**',
  'verify/{diff,mutants,program,report}.test.ts',
  'src/{authz,cache,config,counters,domain,exchange,extensions,graphql,http,images,mail,metadata}/**',
  'src/{outbound,resumable,storage,tokens}/**',
  'src/sql/embedded/**',
  'src/deletion.test.ts',
]
/** Tests that need a server of MariaDB beside the database of the tests. */
const withMySql = ['contract-tests/vendors.test.ts', 'src/cli/version-eight/*.test.ts', 'src/sql/sources/**']
/** What CI runs on MariaDB. `npm run test:mysql` runs all that reach a database; `docs/mariadb.md` lists what does not hold. */
const sampleOnMariaDb = [
  'contract-tests/{api-keys,batch,directory-logins,exact-numbers,geometry-on-mariadb,idempotency}.test.ts',
  'contract-tests/{json-paths,legacy-columns,legacy-filters,odd-names,upsert}.test.ts',
  'src/core/{access,accounts,assets,feed,files,guards,history,items,related,rows,server,shares,usage,webhooks}/*.test.ts',
  'src/current/{graphql,handlers,model,views,wire}/**/*.test.ts',
  'src/legacy/{files,handlers,scim,wire}/**/*.test.ts',
  'src/sql/compile/golden-answers.test.ts',
  'src/sql/wire/mysql/*.test.ts',
]
/** Tests of what MariaDB does not have, by what their worlds are made of. */
const onPostgres = {
  sequences: ['src/core/items/brought-keys.test.ts'],
  'enumerated types, domains, arrays': [
    'src/core/items/column-types.test.ts',
    'src/core/rows/name-failures.test.ts',
    'src/sql/{errors/errors,schema/introspect}.test.ts',
    'contract-tests/{column-words,feed-values}.test.ts',
  ],
  'texts of statements for Postgres': [
    'src/sql/compile/{golden,statements}.test.ts',
    'src/sql/dialects/postgres-codecs.test.ts',
  ],
  PostGIS: ['src/core/items/geometry.test.ts', 'src/current/graphql/conformance.test.ts'],
  'materialized views, rules': ['src/core/items/keyless-tables.test.ts'],
  'triggers in PL/pgSQL': ['src/core/rows/batch-writers.test.ts', 'src/projects/cached-answers.test.ts'],
  'schemas, foreign data': ['contract-tests/video-shop.test.ts'],
  'the driver of Postgres': ['src/sql/wire/send.test.ts'],
  'data models letter by letter': ['src/current/sync/schema-sync-property.test.ts'],
}
/** Tests of what MariaDB alone does. */
const onMariaDb = [
  'contract-tests/geometry-on-mariadb.test.ts',
  'src/core/items/limits-of-mariadb.test.ts',
  'src/sql/wire/mysql/{announcements,deadlocks,limit-writes,send}.test.ts',
]
const isServer = process.env['TEST_DATABASE_URL'] !== undefined
const isMariaDb = /^(mysql|mariadb):/.test(process.env['TEST_DATABASE_URL'] ?? '')
const hasMySql = process.env['TEST_MYSQL_URL'] !== undefined
const exclude = [
  '**/node_modules/**',
  '**/dist/**',
  'data/**',
  ...(isServer ? withoutServer : []),
  ...(hasMySql ? [] : withMySql),
  ...(isMariaDb ? Object.values(onPostgres).flat() : onMariaDb),
]

// For the processes of tests: what packages and threads compile is kept from run to run.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')

export default defineConfig({
  resolve: {
    conditions: ['tandem-src'],
    // Libraries load the same copy: a schema of one is none to another.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    // The others share a few processes: loading the program anew for each file takes as long as half of the tests.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...alone, ...programs],
        },
      },
      ...(isMariaDb
        ? [{ extends: true, test: { name: 'mariadb', isolate: false, include: sampleOnMariaDb, exclude } } as const]
        : []),
      {
        extends: true,
        test: { name: 'programs', isolate: false, include: isServer ? programsOnServers : programs, exclude },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude } },
    ],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // More than the processors of a small machine: tests wait for databases and processes.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    // What is waited for comes by itself, but late where others use the processor.
    expect: { poll: { timeout: 20_000 } },
    // A larger space for new objects spares a tenth of the time: each embedded database brings tens of megabytes.
    execArgv: ['--conditions=tandem-src', '--min-semi-space-size=32', '--max-semi-space-size=64'],
  },
})
