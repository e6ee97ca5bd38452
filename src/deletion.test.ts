/**
 * Each generation is a folder: without it, its specs and its line in app.ts, the program compiles, starts and passes the
 * tests of requests of the other. Tests about the deleted generation are deleted with it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminPassword, adminToken, ask, createDatabase, startServer } from './cli/test-program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Both deletions take place here, so that the second compiles only what the first has not. */
const folder = mkdtempSync(join(tmpdir(), 'tandem-without-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The caller, as each generation shows it, and its login. */
const userOf = { current: '/users/me', legacy: '/_/users/me' }
const loginOf = { current: '/auth/login', legacy: '/_/auth/authenticate' }
const account = { email: 'admin@example.com', password: adminPassword }

describe.each([
  { deleted: 'legacy', rest: 'current' },
  { deleted: 'current', rest: 'legacy' },
] as const)('without the $deleted generation', ({ deleted, rest }) => {
  beforeAll(() => copyWithout(deleted))

  test('app.ts loses exactly one line', () => {
    const lines = readFileSync(join(folder, 'src/app.ts'), 'utf8').split('\n').length
    expect(readFileSync(join(root, 'src/app.ts'), 'utf8').split('\n').length - lines).toBe(1)
  })

  test('the program compiles', { timeout: 120_000 }, () => {
    const how = '--incremental --tsBuildInfoFile compiled.json --singleThreaded -p .'.split(' ')
    expect(run([join(root, 'node_modules/typescript7/bin/tsc'), ...how])).toBe('')
  })

  test(`the server starts and serves the ${rest} generation only`, { timeout: 120_000 }, async () => {
    const database = await createDatabase({ isMigrated: true })
    const main = join(folder, 'src/main.js')
    const server = await startServer(
      { ...database.settings, ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password, ADMIN_TOKEN: adminToken },
      { main },
    )
    const statusOf = async (path: string, body?: object) => (await ask(server.url, path, body)).status
    expect(await Promise.all([userOf[rest], userOf[deleted], '/docs/'].map((path) => statusOf(path)))).toEqual([
      200, 404, 200,
    ])
    expect(await statusOf(loginOf[rest], account)).toBe(200)
    expect((await fetch(`${server.url}${userOf[rest]}`)).status).toBe(401)
    expect(await server.stop()).toBe(0)
    await database.remove()
  })

  // Floors: what lies below imports neither generation. Compiling shows that all of the rest is there.
  test('requests are answered as before', { timeout: 240_000 }, () => {
    const files = ['handlers/items', 'graphql/graphql'].map((name) => `src/${rest}/${name}.test.ts`)
    const report = join(folder, 'report.json')
    const how = ['--project=shared', '--maxWorkers=1', '--reporter=json', `--outputFile.json=${report}`]
    run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...how, ...files])
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(20)
  })
})

/** Copies the program's tracked files without those of the generation. */
function copyWithout(generation: string): void {
  for (const name of ['src', 'openapi', 'graphql', 'node_modules'])
    rmSync(join(folder, name), { recursive: true, force: true })
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of listed.toString().split('\n')) {
    if (isProgram(file) && !belongsTo(generation, file)) cpSync(join(root, file), join(folder, file))
  }
  const app = readFileSync(join(root, 'src/app.ts'), 'utf8').split('\n')
  writeFileSync(join(folder, 'src/app.ts'), app.filter((line) => !line.includes(`./${generation}/`)).join('\n'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(included))
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** Tests about the rest import only the rest: those of the other generation name it, and are not copied. */
const included = { extends: './tsconfig.base.json', include: ['src'], exclude: ['**/*.test.ts'] }

const isProgram = (file: string): boolean =>
  /^(src|openapi|graphql|codegen|sdk\/src\/project-types)\/|^sdk\/src\/generated\/\w+-openapi\.ts$|^(package\.json|vitest\.config\.ts|longest-first\.ts|codegen\.ts)$/.test(
    file,
  ) && file !== 'src/deletion.test.ts'

function belongsTo(generation: string, file: string): boolean {
  if (new RegExp(`^(src|openapi)/${generation}/|^graphql/${generation}[-.]|/generated/${generation}[.-]`).test(file))
    return true
  return (
    file.endsWith('.test.ts') && new RegExp(`\\b${generation}\\b`, 'i').test(readFileSync(join(root, file), 'utf8'))
  )
}

function run(words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
