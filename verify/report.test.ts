import { expect, test } from 'vitest'
import { writeReport } from './src/report/formats.ts'
import { createProgress } from './src/report/progress.ts'
import type { Check } from './src/run/check.ts'
import type { Report } from './src/verify.ts'

const check = (name: string): Check => ({
  area: 'lists',
  operation: 'readItems',
  name,
  need: 'world',
  run: async () => {},
})

const report: Report = {
  url: 'https://api.example.com',
  deployment: {
    version: '1.2.3',
    generations: ['current', 'legacy'],
    hasGraphql: true,
    hasChanges: true,
    hasBatch: true,
    hasSockets: true,
    hasSubscriptions: true,
  },
  seed: 7,
  outcomes: [
    { check: check('passes'), milliseconds: 12, failure: null },
    {
      check: check('fails & <shows> it'),
      milliseconds: 30,
      failure: {
        message: 'The list has other items',
        curl: `curl -sg -H "Authorization: Bearer $TOKEN" 'https://api.example.com/items/a?limit=1'`,
        request: 'GET /items/a?limit=1',
        expected: [1],
        received: 'a | b\u0000',
        spec: { pointer: '/paths/~1items~1a/get', line: 12 },
      },
    },
  ],
  skipped: [['items x', 'It is otherwise there.']],
  left: ['tv_left'],
  isInterrupted: false,
  milliseconds: 1234,
}

const summary = '2 checks: 1 passed, 1 failed, 1 do not apply in 1.2 s'

test('text names everything that a failure needs', () => {
  expect(writeReport(report, 'text')).toBe(`lists readItems: fails & <shows> it
  The list has other items
  request   GET /items/a?limit=1
  curl      curl -sg -H "Authorization: Bearer $TOKEN" 'https://api.example.com/items/a?limit=1'
  expected  [1]
  received  a | b\u0000
  spec      #/paths/~1items~1a/get (line 12)

does not apply  items x
                It is otherwise there.
Left behind: tv_left
https://api.example.com 1.2.3, current and legacy generation, seed 7
${summary}
`)
})

test('JSON has the outcomes in full', () => {
  const read = JSON.parse(writeReport(report, 'json')) as {
    readonly outcomes: readonly unknown[]
    readonly summary: string
  }
  expect(read.summary).toBe(summary)
  expect(read.outcomes[0]).toEqual({
    area: 'lists',
    operation: 'readItems',
    check: 'passes',
    milliseconds: 12,
    failure: null,
  })
})

test('JUnit has a case per check, and characters that XML allows', () => {
  const text = writeReport(report, 'junit')
  expect(text).toContain('<testsuite name="tandem-verify" tests="2" failures="1" time="1.234">')
  expect(text).toContain('<testcase classname="lists.readItems" name="passes" time="0.012"/>')
  expect(text).toContain('name="fails &amp; &lt;shows&gt; it"')
  expect(text).toContain('received  a | b?')
})

test('Markdown escapes tables, HTML its entities', () => {
  expect(writeReport(report, 'markdown')).toContain('| `[1]` | `a \\| b\u0000` |')
  const page = writeReport(report, 'html')
  expect(page).toContain('fails &amp; &lt;shows&gt; it')
  expect(page).not.toContain('<shows>')
  expect(page).toContain('#/paths/~1items~1a/get, line 12')
})

test('progress is drawn on terminals only', () => {
  const drawn: string[] = []
  const write = (text: string) => drawn.push(text)
  for (const isTTY of [false, true]) {
    const progress = createProgress({ isTTY, columns: 60, write })
    progress.start(2)
    for (const outcome of report.outcomes) progress.step(outcome)
    progress.end()
  }
  expect(drawn).toEqual([
    expect.stringContaining('░ 0/2'),
    expect.stringContaining('1/2  readItems: passes'),
    expect.stringContaining('2/2, 1 failed  readItems: fails'),
    '\r\u001b[2K',
  ])
})
