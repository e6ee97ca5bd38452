/** The report as one HTML page without other files. */
import type { Area, Outcome } from '../run/check.ts'
import type { Report } from '../verify.ts'
import { escaped } from './escaped.ts'
import { failuresOf, subjectOf, summaryOf, textOf } from './summary.ts'

const style = `
:root { color-scheme: light dark; --line: #8884; --bad: #c62828; --good: #2e7d32; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; } .subject { color: #888; margin: 0 0 1rem; }
.bar { height: 8px; border-radius: 4px; background: var(--good); overflow: hidden; margin: .5rem 0 1.5rem; }
.bar i { display: block; height: 100%; background: var(--bad); }
section { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 4px; padding: .75rem 1rem; margin: 0 0 1rem; }
section h2 { font-size: 1rem; margin: 0 0 .25rem; }
pre { background: #8881; padding: .5rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; } dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9em; }
details { border-top: 1px solid var(--line); } summary { cursor: pointer; padding: .4rem 0; }
li { list-style: none; } li::before { content: '✓ '; color: var(--good); } li.bad::before { content: '✗ '; color: var(--bad); } small { color: #888; }
`

export function htmlReport(report: Report): string {
  const failures = failuresOf(report)
  const share = report.outcomes.length === 0 ? 0 : (100 * failures.length) / report.outcomes.length
  const left = report.left.length === 0 ? '' : `<p>Left behind: ${escaped(report.left.join(', '))}</p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Verification</title><style>${style}</style></head>
<body><h1>${escaped(summaryOf(report))}</h1><p class="subject">${escaped(subjectOf(report))}</p>
<div class="bar"><i style="width:${share.toFixed(1)}%"></i></div>${left}
${failures.map(failureHtml).join('\n')}
${areasOf(report).map(areaHtml).join('\n')}
${skippedHtml(report)}
</body></html>
`
}

function failureHtml({ check, failure }: ReturnType<typeof failuresOf>[number]): string {
  const { message, curl, expected, received, spec } = failure
  const location = spec === null ? null : `#${spec.pointer}${spec.line === null ? '' : `, line ${spec.line}`}`
  const rows = [
    ['expected', expected],
    ['received', received],
    ['spec', location],
  ] as const
  const list = rows.flatMap(([name, value]) =>
    value === null ? [] : [`<dt>${name}</dt><dd>${escaped(textOf(value))}</dd>`],
  )
  const request = curl === null ? '' : `<pre>${escaped(curl)}</pre>`
  return `<section><h2>${escaped(check.operation)}: ${escaped(check.name)}</h2>${escaped(message)}${request}<dl>${list.join('')}</dl></section>`
}

const areasOf = ({ outcomes }: Report): readonly (readonly [Area, readonly Outcome[]])[] => {
  const areas = [...new Set(outcomes.map(({ check }) => check.area))]
  return areas.map((area) => [area, outcomes.filter(({ check }) => check.area === area)])
}

function skippedHtml({ skipped }: Report): string {
  if (skipped.length === 0) return ''
  const items = skipped.map(([title, because]) => `<li>${escaped(title)} <small>${escaped(because)}</small></li>`)
  return `<details><summary>do not apply <small>${skipped.length}</small></summary><ul>${items.join('')}</ul></details>`
}

function areaHtml([area, outcomes]: readonly [Area, readonly Outcome[]]): string {
  const passed = outcomes.filter(({ failure }) => failure === null).length
  const items = outcomes.map(
    ({ check, failure, milliseconds }) =>
      `<li${failure === null ? '' : ' class="bad"'}>${escaped(check.operation)}: ${escaped(check.name)} <small>${milliseconds.toFixed(0)} ms</small></li>`,
  )
  return `<details><summary>${area} <small>${passed} of ${outcomes.length} passed</small></summary><ul>${items.join('')}</ul></details>`
}
