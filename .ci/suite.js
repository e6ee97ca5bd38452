// Runs all tests, then the files that failed once more, alone, one after another. A file that passes then is named as
// unstable and counts as passed: tests of processes, sockets and time may fail on a machine that is busy.
// Usage: node .ci/suite.js NAME FOLDER SCRIPT, a script of package.json. Writes FOLDER/NAME.count (`passed failed`) and
// FOLDER/NAME.failures (what to read at the end of the run).
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const [name, folder, script] = process.argv.slice(2)
/** More files than this have not failed by accident. */
const rerunsAtMost = 15
/** Files to name as the slowest. */
const slowest = 20

/** What the files came to, and whether the run as a whole succeeded. */
function run(args) {
  const path = join(folder, `${name}.json`)
  rmSync(path, { force: true })
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'reporter.js')}`]
  const { status, signal } = spawnSync('npm', ['run', script, '--', ...reporters, ...args], {
    stdio: 'inherit',
    env: { ...process.env, TEST_REPORT: path },
  })
  const end = signal ?? `exit ${status}`
  if (!existsSync(path)) return { end, files: null }
  const files = JSON.parse(readFileSync(path, 'utf8'))
  const isExplained = status === 0 || files.some(({ failures }) => failures.length > 0)
  const unexplained = { file: null, passed: 0, failures: [{ name: 'the run', error: [`It ended with ${end}`] }] }
  return { end, files: isExplained ? files : [...files, unexplained] }
}

const told = []
const tell = (line) => {
  told.push(line)
  console.log(line)
}
const tellFailures = (where, failures) => {
  for (const failure of failures) {
    tell(`FAILED: ${where} > ${failure.name}`)
    for (const line of failure.error) tell(`    ${line}`)
  }
}

let all = run([])
if (all.files === null) {
  tell(`unstable: the tests on ${name} ended without a report (${all.end}) and run once more`)
  all = run([])
}
const files = all.files ?? []
if (files.length === 0) tell(`FAILED: the tests on ${name} ended without a report (${all.end})`)

console.log(`\n== the slowest files on ${name}, in seconds:`)
for (const { file, seconds = 0 } of files.toSorted((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0)).slice(0, slowest)) {
  console.log(`${seconds.toFixed(0).padStart(5)} ${file === null ? '(no file)' : relative(process.cwd(), file)}`)
}

const broken = files.filter(({ failures }) => failures.length > 0)
const mayRunAgain = broken.length <= rerunsAtMost
let passed = files.filter(({ failures }) => failures.length === 0).reduce((sum, each) => sum + each.passed, 0)
let failed = files.length === 0 ? 1 : 0

for (const { file, ...first } of broken) {
  const where = `${name}: ${file === null ? '(no file)' : relative(process.cwd(), file)}`
  let last = first
  if (file !== null && mayRunAgain) {
    console.log(`\n== once more, alone: ${where}`)
    const again = run([file, '--maxWorkers=1'])
    const own = again.files?.filter((each) => each.file === file || each.file === null) ?? []
    if (own.length > 0) {
      last = { passed: own.reduce((sum, each) => sum + each.passed, 0), failures: own.flatMap((each) => each.failures) }
    }
    if (last.failures.length === 0) {
      tell(`unstable: ${where}`)
      for (const { name: test, error } of first.failures) tell(`    ${test}: ${error[0] ?? ''}`)
    }
  }
  tellFailures(where, last.failures)
  passed += last.passed
  failed += last.failures.length
}

writeFileSync(join(folder, `${name}.count`), `${passed} ${failed}\n`)
writeFileSync(join(folder, `${name}.failures`), told.map((line) => `${line}\n`).join(''))
