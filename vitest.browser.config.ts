import { defineConfig } from 'vitest/config'

/** Tests that need a browser: `npm run test:browser`, with Chromium at CHROMIUM_PATH or in the PATH. */
export default defineConfig({
  resolve: { conditions: ['tandem-src'] },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    include: ['**/*.browser-test.ts'],
    pool: 'forks',
    // As in CI's suites, a test that fails runs once more: browsers are slow on busy machines.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--conditions=tandem-src'],
  },
})
