/**
 * The long runs of the feed, one after another: 100,000 judged changes, 20 kills with two servers, without and with Redis,
 * and live connections (`live.ts`). `npm run test:long` with TEST_DATABASE_URL, the address of a Postgres server, and
 * TEST_REDIS_URL; without the latter the runs with Redis are left out. It takes about half an hour, and ends with 1 if a
 * run has failed.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { TEST_DATABASE_URL: database = 'postgres://postgres@127.0.0.1:5432/postgres', TEST_REDIS_URL: redis } =
  process.env
const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const kills = [...vitest, '--project=programs', 'src/cli/killed-feed.test.ts']

type Run = { readonly name: string; readonly args: readonly string[]; readonly settings: NodeJS.ProcessEnv }

const runs: readonly Run[] = [
  {
    name: 'judged changes',
    args: [...vitest, '--project=shared', 'src/core/feed/judge-property.test.ts'],
    settings: { FEED_CASES: process.env['FEED_CASES'] ?? '12800' },
  },
  { name: 'kills', args: kills, settings: { FEED_KILLS: '20', TEST_REDIS_URL: undefined } },
  ...(redis === undefined ? [] : [{ name: 'kills with Redis', args: kills, settings: { FEED_KILLS: '20' } }]),
  {
    name: 'live connections',
    args: ['--conditions=tandem-src', 'bench/live.ts'],
    settings: { BENCH_DATABASE_URL: database },
  },
]

const failed = runs.filter(({ name, args, settings }) => {
  console.info(`\n${name}`)
  const env = { ...process.env, TEST_DATABASE_URL: database, ...settings }
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status !== 0
})
for (const { name } of failed) console.error(`Failed: ${name}`)
process.exitCode = failed.length === 0 ? 0 : 1
