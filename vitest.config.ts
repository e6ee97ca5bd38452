import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['tandem-src'] },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    execArgv: ['--conditions=tandem-src'],
  },
})
