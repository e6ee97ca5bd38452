/** The guide: each block is run, its shown result compared, and each link leads somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { pages, sections } from '../../docs/.vitepress/sections.ts'
import { readBlocks } from './blocks.ts'
import { difference } from './compare.ts'
import { docsFolder, pagesInLanguages, readPage, runPage } from './page.ts'

// Blocks of a page run one after the other. Pages wait for their programs: three run side by side. The verifier of
// `verify` sends some thousand requests, which takes over a minute where others use the processor.
vi.setConfig({ testTimeout: 300_000, maxConcurrency: 3 })

const paths = ['index', ...pages.map(({ path }) => path)]

const files = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.md') && !/^(dist|node_modules)\//.test(file),
)

test('each file is in the sidebar once', () => {
  expect(paths.map((path) => `${path}.md`).toSorted()).toEqual(files.toSorted())
  expect(sections.flatMap((section) => section.pages).every(({ about }) => about.endsWith('.'))).toBe(true)
})

const pagesHere = paths.filter((path) => !pagesInLanguages.includes(path))

test.concurrent.each(pagesHere)('the blocks of %s do what it says', async (path) => {
  expect(await runPage(path)).toEqual([])
})

/** The anchors of a page: one per heading, in the words of the heading. */
const anchorsOf = (path: string): readonly string[] =>
  [
    ...readPage(path)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, ''),
  )

test.each(paths)('the links of %s lead somewhere', (path) => {
  const text = readPage(path).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture ?? '',
  )
  const broken = links.filter((link) => {
    if (link.startsWith('https:')) return false
    const [file = '', anchor] = link.split('#')
    const at = file === '' ? `${path}.md` : join(dirname(path), file)
    const found = [at, `${at}.md`].find((each) => existsSync(join(docsFolder, each)))
    if (found === undefined) return true
    return anchor !== undefined && !anchorsOf(found.replace(/\.md$/, '')).includes(anchor)
  })
  expect(broken).toEqual([])
})

const exceptions = paths
  .flatMap((path) => readBlocks(path, readPage(path)))
  .filter(({ exception }) => exception !== null)

test('few blocks are not run, each with a reason', () => {
  const notRun = exceptions.filter(({ exception }) => exception?.startsWith('not run'))
  expect(notRun.filter(({ exception }) => !/^not run: \S.{9,120}\.$/.test(exception ?? ''))).toEqual([])
  expect(notRun.length).toBeLessThanOrEqual(1)
})

function withImports(file: string): string {
  const text = readFileSync(file, 'utf8')
  const beside = [...text.matchAll(/from '(\.\.?\/[\w-]+\.ts)'/g)].map(([, name = '']) => join(dirname(file), name))
  return [text, ...beside.map((each) => readFileSync(each, 'utf8'))].join('\n')
}

test('tests that run blocks in place of this one read the page', () => {
  for (const { exception, place } of exceptions) {
    const [, test] = /^run by (\S+\.test\.ts)$/.exec(exception ?? '') ?? []
    if (test === undefined) continue
    expect(withImports(join(docsFolder, '..', test))).toContain(place.split(':')[0])
  }
})

test('a wrong result is found', () => {
  expect(difference('{"data": [{"id": 1, …}]}', '{"data":[{"id":1,"title":"One"}]}')).toBeNull()
  expect(difference('{"data": [{"id": 2, …}]}', '{"data":[{"id":1,"title":"One"}]}')).toContain('"id":1')
  expect(difference('{"id": "…"}', '{"id":"5f3a"}')).toBeNull()
  expect(difference('{"a b": 1}', '{"ab":1}')).not.toBeNull()
})
