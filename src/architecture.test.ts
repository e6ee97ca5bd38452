import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const text = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8')

const foldersOf = (path: string): readonly string[] =>
  readdirSync(new URL(path, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

test('ARCHITECTURE.md has at most 150 lines', () => {
  expect(text.split('\n').length).toBeLessThanOrEqual(150)
})

test('the folder table of ARCHITECTURE.md names exactly the folders of src', () => {
  const described = [...text.matchAll(/^\| `src\/([a-z]+)` \|/gm)].map((match) => match[1] as string)
  const there = foldersOf('src')
  expect(described.toSorted()).toEqual(there.toSorted())
})

test('the table of rooms names exactly the rooms on disk, except for test data', () => {
  const described = [...text.matchAll(/^\| (`(?!src)[a-z]+\/[a-z]+`(?:, `[a-z]+\/[a-z]+`)*) \|/gm)].flatMap((match) =>
    (match[1] as string).replaceAll('`', '').split(', '),
  )
  const there = ['domain', 'sql', 'core', 'http', 'current', 'legacy'].flatMap((floor) =>
    foldersOf(`src/${floor}`).flatMap((room) => (room === 'testing' ? [] : [`${floor}/${room}`])),
  )
  expect(described.toSorted()).toEqual(there.toSorted())
})

test('every file and folder that ARCHITECTURE.md names in code quotes exists', () => {
  const named = [...text.matchAll(/`((?:src|openapi|codegen|sdk|contract-tests|bench|examples|decisions)\/[\w./-]*)`/g)]
    .map((match) => match[1] as string)
    .filter((path) => !path.includes('<'))
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('every program file that a README of src names in code quotes exists', () => {
  const entries = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  const programs = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => `/${entry.replaceAll('\\', '/')}`)
  const missing = entries
    .filter((entry) => entry.endsWith('README.md'))
    .flatMap((entry) =>
      [...readFileSync(new URL(`src/${entry}`, root), 'utf8').matchAll(/`([\w/-]+\.ts)`/g)]
        .map((match) => match[1] as string)
        .filter((name) => !existsSync(new URL(name, root)) && !programs.some((each) => each.endsWith(`/${name}`)))
        .map((name) => `${entry}: ${name}`),
    )
  expect(missing).toEqual([])
})
