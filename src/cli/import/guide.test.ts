/** The commands of the guide for Directus (`docs/from-directus.md`), run as they are written, against a server that answers as one. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase, run } from '../test-program.ts'
import { shop } from '../test-projects.ts'
import { newsroom } from './test-newsroom.ts'
import { serveProject, sourceToken, writeTemplate } from './test-source.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

const guide = readFileSync(new URL('../../../docs/from-directus.md', import.meta.url), 'utf8')
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim().split('\n'))

const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const source = await serveProject(newsroom)
const sourceOfModel = await serveProject(shop)
const template = writeTemplate(shop, true)
afterAll(async () => {
  for (const each of [source, sourceOfModel]) await each.close()
  for (const each of [folder, template]) rmSync(each, { recursive: true, force: true })
})

const snapshot = join(folder, 'snapshot.yaml')

/** What is typed, with the places of this test and without its remark. */
const adapt = (line: string): string =>
  line
    .replace(/ +#.*$/, '')
    .replace('https://old.example.com', line.includes('/schema/') ? sourceOfModel.url : source.url)
    .replace('TOKEN', sourceToken)
    .replace('./my-template', template)
    .replace('snapshot.yaml', snapshot)

const counted = /^(\w+) +(\d+) +(\d+) +\d+ +\d+$/gm

/** Runs the lines of a block; questions are answered with yes. Resolves to what each has printed. */
async function runBlock(lines: readonly string[]): Promise<readonly string[]> {
  const database = await createDatabase({ isMigrated: true })
  const printed: string[] = []
  try {
    for (const line of lines.map(adapt)) {
      const [, words] = /^npm run tandem -- (.*)$/.exec(line) ?? []
      if (words === undefined) {
        printed.push((await promisify(execFile)('sh', ['-c', line])).stdout)
        continue
      }
      const agreed = words.endsWith('--plan') ? [] : ['--yes']
      const { code, out, error } = await run(database.settings, ...words.split(' '), ...agreed)
      expect([line, code, `${error}${out}`]).toEqual([line, 0, expect.any(String)])
      printed.push(out)
    }
  } finally {
    await database.remove()
  }
  return printed
}

test('the guide has three blocks of commands', () => {
  expect(blocks.map((lines) => lines.length)).toEqual([2, 1, 2])
})

test.each([
  ['server', 0, { collection: 'articles', there: '300', here: '300' }],
  ['template', 1, { collection: 'products', there: '2', here: '2' }],
] as const)('all rows of the %s are here', async (_, index, row) => {
  const out = (await runBlock(blocks[index] ?? [])).at(-1) ?? ''
  const rows = [...out.matchAll(counted)].map(([, collection, there, here]) => ({ collection, there, here }))
  expect(rows.filter(({ there, here }) => there !== here)).toEqual([])
  expect(rows).toContainEqual(row)
})

test('the data model alone is here', async () => {
  const [, out = ''] = await runBlock(blocks[2] ?? [])
  expect(out).toContain('products')
  expect(out).toMatch(/Applied/)
})
