import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// For the processes of tests: what packages and threads compile is kept from run to run.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')

/** Tests that need a browser: `npm run test:browser`, with Chromium at CHROMIUM_PATH or in the PATH. */
export default defineConfig({
  resolve: {
    conditions: ['tandem-src'],
    // Libraries load the same copy: a schema of one is none to another.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    include: ['**/*.browser-test.ts'],
    pool: 'forks',
    // Files share two processes: each would load the program anew.
    isolate: false,
    // Tests wait for browsers: two files side by side, on small machines too.
    maxWorkers: 2,
    // As in CI's suites, a test that fails runs once more: browsers are slow on busy machines.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes by itself, but late where others use the processor.
    expect: { poll: { timeout: 20_000 } },
    // As in vitest.config.ts.
    execArgv: ['--conditions=tandem-src', '--min-semi-space-size=32', '--max-semi-space-size=64'],
  },
})
