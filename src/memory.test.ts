import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const memory = JSON.stringify(fileURLToPath(new URL('./memory.ts', import.meta.url)))

const main = new URL('./main.js', import.meta.url)

const run = (...words: string[]): string => execFileSync(process.execPath, words, { encoding: 'utf8' })

/** How often a program collected in each of its phases, which come one after the other. */
function collectionsIn(...phases: string[]): readonly number[] {
  const program = `
    const { keepMemory } = await import(${memory})
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    keepMemory({ afterStart: 10, pause: 300 })
    ${phases.join(`\nconsole.log('next phase')\n`)}
    process.exit()`
  const output = run('--trace-gc', '--input-type=module', '--eval', program)
  return output.split('next phase').map((part) => part.split('Mark-Compact').length - 1)
}

test('V8 has the setting that keeps it from collecting compiled code in short pauses, and is told before anything else', () => {
  expect(run('--v8-options')).toContain('--memory-reducer-gc-count')
  const [before] = readFileSync(main, 'utf8').split('await import(')
  expect(before).toContain("setFlagsFromString('--memory-reducer-gc-count=0')")
})

test('memory is given back after the start and in pauses, and not at work', () => {
  const work = `for (const end = Date.now() + 700; Date.now() < end; await wait(1)) for (let n = 0; n < 5e5; n += 1);`
  const [start, rest, , busy, again] = collectionsIn(
    'await wait(200)',
    'await wait(900)',
    work,
    work,
    'await wait(900)',
  )
  expect(start).toBeGreaterThan(0)
  expect(rest).toBeGreaterThan(0)
  expect(busy).toBe(0)
  expect(again).toBeGreaterThan(0)
})
