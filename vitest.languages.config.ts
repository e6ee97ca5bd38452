import { defineConfig } from 'vitest/config'

/** Tests that need Java and the compilers of other languages: `npm run test:languages`; `.ci/run` lists the packages. */
export default defineConfig({
  resolve: { conditions: ['tandem-src'] },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    include: ['**/*.language-test.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--conditions=tandem-src'],
  },
})
