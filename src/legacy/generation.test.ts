import { expect, test } from 'vitest'
import { legacyGeneration } from './generation.ts'

const isMeant = (path: string, headers: Record<string, string>, isElsewhere: boolean): boolean =>
  legacyGeneration.isMeant?.({ path, headers }, isElsewhere) ?? false

test.each([
  ['/types', {}, false, true],
  ['/Interfaces/', {}, false, true],
  ['/layouts/x', {}, false, true],
  ['/pages', {}, false, true],
  ['/modules', {}, false, true],
  ['/projects/x', {}, false, true],
  ['/server/projects', {}, true, true],
  ['/server/else', {}, true, false],
  ['/typesetting', {}, false, false],
  ['/nowhere', {}, false, false],
  ['/nowhere', { 'x-acme-project': '_' }, false, true],
  ['/nowhere', { 'x-project': '_' }, false, false],
  ['/items/a/b/c/d', { 'x-platform-project': '_' }, true, false],
])('%s with %j, elsewhere %s, fails in the form of this generation: %s', (path, headers, isElsewhere, expected) => {
  expect(isMeant(path, headers as Record<string, string>, isElsewhere)).toBe(expected)
})
