import { defineConfig } from 'vitest/config'

/** Tests that look at the process itself: at how long it waits, at its memory, at what it has loaded, at its signals. */
const alone = [
  'contract-tests/doors.test.ts',
  'src/doors.test.ts',
  'src/memory.test.ts',
  'src/http/{pressure,slow-bodies,listen}.test.ts',
  'src/mail/mail-loading.test.ts',
  'src/sql/{database,expect-wait,pace,server,server-socket,silence}.test.ts',
]
const exclude = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  resolve: { conditions: ['tandem-src'] },
  ssr: { resolve: { conditions: ['tandem-src'], externalConditions: ['tandem-src'] } },
  test: {
    // The others share two processes: loading the program anew for each file takes as long as half of the tests.
    projects: [
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['**/*.test.ts'], exclude: [...exclude, ...alone] },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude } },
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    execArgv: ['--conditions=tandem-src'],
  },
})
