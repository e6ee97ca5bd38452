/**
 * Each generation is a folder: without it, its specs and its line in app.ts, the program compiles, starts and passes the
 * other tests. Tests about the deleted generation are deleted with it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { adminToken, ask, createPlace, startServer } from './cli/test-program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const made: string[] = []

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** The caller, as each generation shows it. */
const userOf = { current: '/users/me', legacy: '/_/users/me' }

describe.each([
  { deleted: 'legacy', rest: 'current' },
  { deleted: 'current', rest: 'legacy' },
] as const)('without the $deleted generation', ({ deleted, rest }) => {
  const folder = copyWithout(deleted)

  test('app.ts loses exactly one line', () => {
    const kept = readFileSync(join(folder, 'src/app.ts'), 'utf8').split('\n').length
    expect(readFileSync(join(root, 'src/app.ts'), 'utf8').split('\n').length - kept).toBe(1)
  })

  test('the program compiles', { timeout: 120_000 }, () => {
    expect(run(folder, [join(root, 'node_modules/typescript7/bin/tsc'), '-p', folder])).toBe('')
  })

  test(`the server starts and serves the ${rest} generation only`, { timeout: 120_000 }, async () => {
    const place = await createPlace({ isMigrated: true })
    const main = join(folder, 'src/main.js')
    const server = await startServer({ ...place.settings, ADMIN_TOKEN: adminToken }, { main })
    const statusOf = async (path: string) => (await ask(server.url, path)).status
    expect(await Promise.all([userOf[rest], userOf[deleted], '/docs/'].map(statusOf))).toEqual([200, 404, 200])
    expect(await server.stop()).toBe(0)
    await place.remove()
  })

  // Floors: what lies below imports neither generation. Compiling shows that all of the rest is there.
  test('requests are answered as before', { timeout: 240_000 }, () => {
    const handlers = ['items', 'auth', 'rights'].map((name) => `src/${rest}/handlers/${name}.test.ts`)
    const files = ['src/http/app', ...handlers, `src/${rest}/graphql/graphql.test.ts`]
    const report = join(folder, 'report.json')
    const words = ['run', '--project=shared', '--reporter=json', `--outputFile.json=${report}`, ...files]
    run(folder, [join(root, 'node_modules/vitest/vitest.mjs'), ...words])
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(100)
  })
})

/** Copies the program's tracked files without those of the generation. */
function copyWithout(generation: string): string {
  const folder = mkdtempSync(join(tmpdir(), `tandem-without-${generation}-`))
  made.push(folder)
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of listed.toString().split('\n')) {
    if (isProgram(file) && !belongsTo(generation, file)) cpSync(join(root, file), join(folder, file))
  }
  const app = readFileSync(join(root, 'src/app.ts'), 'utf8').split('\n')
  writeFileSync(join(folder, 'src/app.ts'), app.filter((line) => !line.includes(`./${generation}/`)).join('\n'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', include: ['src'] }))
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const isProgram = (file: string): boolean =>
  /^(src|openapi|codegen)\/|^sdk\/src\/generated\/\w+-openapi\.ts$|^(package\.json|vitest\.config\.ts|codegen\.ts)$/.test(
    file,
  ) && file !== 'src/deletion.test.ts'

function belongsTo(generation: string, file: string): boolean {
  if (new RegExp(`^(src|openapi)/${generation}/|/generated/${generation}[.-]`).test(file)) return true
  return (
    file.endsWith('.test.ts') && new RegExp(`\\b${generation}\\b`, 'i').test(readFileSync(join(root, file), 'utf8'))
  )
}

function run(cwd: string, words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
