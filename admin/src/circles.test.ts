import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = import.meta.dirname
const imported = /(?:from|import\()\s*'(\.[^']+)'/g

/** Module → what it imports, types and parts that are loaded later too, which the linter does not follow. */
const imports = new Map(
  globSync('**/*.{ts,tsx}', { cwd: root }).map((file) => {
    const found = readFileSync(join(root, file), 'utf8').matchAll(imported)
    return [file, [...found].map(([, path = '']) => relative(root, join(root, dirname(file), path)))] as const
  }),
)

const done = new Set<string>()

/** The first circle that a module leads to, as a way of modules. */
function circleFrom(file: string, way: readonly string[] = []): readonly string[] | null {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
  if (done.has(file)) return null
  const circles = (imports.get(file) ?? []).map((next) => circleFrom(next, [...way, file]))
  done.add(file)
  return circles.find((circle) => circle !== null) ?? null
}

test('no module imports itself by way of others', () => {
  expect(imports.size).toBeGreaterThan(200)
  expect([...imports.keys()].flatMap((file) => circleFrom(file)?.join(' → ') ?? [])).toEqual([])
})
