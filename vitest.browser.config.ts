import { defineConfig } from 'vitest/config'

/** Tests that need a browser: `npm run test:browser`, with Chromium at CHROMIUM_PATH or in the PATH. */
export default defineConfig({
  resolve: { conditions: ['tandem-src'] },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    include: ['**/*.browser-test.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--conditions=tandem-src'],
  },
})
