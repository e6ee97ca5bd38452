import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests on a Galera cluster of MariaDB, which they start, and of which they end nodes. */
export default defineConfig({
  resolve: {
    conditions: ['tandem-src'],
    // Libraries load the same copy: a schema of one is none to another.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    include: ['contract-tests/clusters/*.galera-test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--conditions=tandem-src'],
  },
})
