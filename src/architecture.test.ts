import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const text = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8')

test('ARCHITECTURE.md has at most 120 lines', () => {
  expect(text.split('\n').length).toBeLessThanOrEqual(120)
})

test('the folder table of ARCHITECTURE.md names exactly the folders of src', () => {
  const told = [...text.matchAll(/^\| `src\/([a-z]+)` \|/gm)].map((match) => match[1] as string)
  const there = readdirSync(new URL('src', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  expect(told.toSorted()).toEqual(there.toSorted())
})

test('every file and folder that ARCHITECTURE.md names in code quotes exists', () => {
  const named = [...text.matchAll(/`((?:src|openapi|codegen|sdk|contract-tests|bench|examples|decisions)\/[\w./-]*)`/g)]
    .map((match) => match[1] as string)
    .filter((path) => !path.includes('<'))
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})
