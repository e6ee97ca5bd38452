import { titleOf } from '../run/check.ts'
import type { Report } from '../verify.ts'
import { escaped } from './escaped.ts'
import { htmlReport } from './html.ts'
import { failuresOf, linesOf, subjectOf, summaryOf, textOf } from './summary.ts'

export const formats = ['text', 'json', 'junit', 'markdown', 'html'] as const
export type Format = (typeof formats)[number]

/** The report as text that ends with a line break. */
export const writeReport = (report: Report, format: Format): string => writers[format](report)

const writers: { readonly [Name in Format]: (report: Report) => string } = {
  text: textReport,
  json: jsonReport,
  junit: junitReport,
  markdown: markdownReport,
  html: htmlReport,
}

function textReport(report: Report): string {
  const failures = failuresOf(report).map((outcome) => `${linesOf(outcome).join('\n')}\n\n`)
  const left = report.left.length === 0 ? '' : `Left behind: ${report.left.join(', ')}\n`
  const skipped = report.skipped.map(([title, because]) => `does not apply  ${title}\n                ${because}\n`)
  return `${failures.join('')}${skipped.join('')}${left}${subjectOf(report)}\n${summaryOf(report)}\n`
}

function jsonReport(report: Report): string {
  const outcomes = report.outcomes.map(({ check: { area, operation, name }, milliseconds, failure }) => ({
    area,
    operation,
    check: name,
    milliseconds: Math.round(milliseconds),
    failure,
  }))
  return `${JSON.stringify({ ...report, outcomes, summary: summaryOf(report) }, null, 2)}\n`
}

function junitReport(report: Report): string {
  const cases = report.outcomes.map((outcome) => {
    const { check, milliseconds, failure } = outcome
    const head = `    <testcase classname="${escaped(`${check.area}.${check.operation}`)}" name="${escaped(check.name)}" time="${(milliseconds / 1000).toFixed(3)}"`
    if (failure === null) return `${head}/>`
    const text = linesOf({ ...outcome, failure }).join('\n')
    return `${head}>\n      <failure message="${escaped(failure.message)}">${escaped(text)}</failure>\n    </testcase>`
  })
  const counts = `tests="${report.outcomes.length}" failures="${failuresOf(report).length}" time="${(report.milliseconds / 1000).toFixed(3)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="tandem-verify" ${counts}>\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`
}

function markdownReport(report: Report): string {
  const failures = failuresOf(report).map(({ check, failure }) => {
    const { message, curl, expected, received, spec } = failure
    const location =
      spec === null ? '' : `\nSpec: \`#${spec.pointer}\`${spec.line === null ? '' : `, line ${spec.line}`}\n`
    const shown = curl === null ? '' : `\n\`\`\`sh\n${curl}\n\`\`\`\n`
    const values = `\n| expected | received |\n|---|---|\n| ${cell(expected)} | ${cell(received)} |\n`
    return `### ${titleOf(check)}\n\n${message}\n${shown}${values}${location}\n`
  })
  const skipped = report.skipped.map(([title, because]) => `- ${title}. ${because}\n`)
  const left = report.left.length === 0 ? '' : `Left behind: ${report.left.join(', ')}\n\n`
  return `## Verification\n\n${subjectOf(report)}\n\n**${summaryOf(report)}**\n\n${left}${failures.join('')}${skipped.length === 0 ? '' : `### Checks that do not apply\n\n${skipped.join('')}`}`
}

const cell = (value: unknown): string =>
  value === null
    ? ''
    : `\`${textOf(value).replaceAll('|', String.raw`\|`).replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``
