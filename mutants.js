// Changes files in small ways and lists the changes that no test sees: the named files, or those that differ from
// `main`. The tests are the named ones, or those beside the files. Usage: npm run mutants -- src/tokens/opaque.ts …
import { execFileSync, spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

const named = process.argv.slice(2)
const changed = () =>
  execFileSync('git', ['diff', '--name-only', '--diff-filter=d', 'main', '--', 'src'], { encoding: 'utf8' }).split('\n')
const isProgram = (path) => path.endsWith('.ts') && !/\.test\.ts$|\/(testing|generated)\/|\/test-[^/]*$/.test(path)

const files = (named.length > 0 ? named : changed()).filter(isProgram)
if (files.length === 0) {
  console.error('No file of the program is named or differs from main.')
  process.exit(2)
}
const isTest = (path) => path.endsWith('.test.ts')
const given = named.filter(isTest)
const beside = files.map((path) => `${dirname(path)}/*.test.ts`)
const tests = given.length > 0 ? given : [...new Set(beside)]
const { status } = spawnSync('stryker', ['run', '--mutate', files.join(',')], {
  stdio: 'inherit',
  env: { ...process.env, MUTANTS_TESTS: JSON.stringify(tests) },
})
process.exit(status ?? 1)
