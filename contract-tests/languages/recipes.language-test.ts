/** The recipes of the guide in Go and Python do what they say. */
import { expect, test } from 'vitest'
import { pagesInLanguages, runPage } from '../guide/page.ts'

test.each(pagesInLanguages)('the blocks of %s do what it says', async (path) => {
  expect(await runPage(path)).toEqual([])
})
