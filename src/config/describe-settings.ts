import type { Setting } from './kinds.ts'
import { providerSettings } from './providers/provider-settings.ts'
import { locationSettings } from './settings/locations.ts'
import { settings } from './settings.ts'

type Rows = { readonly [name: string]: Setting<unknown> }

export function describeSettings(): string {
  const head = [
    'Settings come from the environment and from a .env file beside it; the environment wins.',
    'NAME_FILE reads the value of NAME from a file.',
  ]
  const groups = Object.entries<Rows>(settings).flatMap(([group, rows]) => ['', group, ...linesOf(rows)])
  const locations = ['', 'For each storage location', ...linesOf(locationSettings, 'STORAGE_<NAME>_', 40)]
  const providers = Object.entries<Rows>(providerSettings).flatMap(([driver, rows]) => [
    '',
    `For each provider with AUTH_<NAME>_DRIVER=${driver}`,
    ...linesOf(rows, 'AUTH_<NAME>_'),
  ])
  return [...head, ...groups, ...locations, ...providers].join('\n')
}

const linesOf = (rows: Rows, prefix = '', width = 45): readonly string[] =>
  Object.entries(rows).map(([name, { about, fallback }]) => {
    const usual = fallback === null ? '' : ` [${fallback}]`
    return `  ${`${prefix}${name}`.padEnd(width)}${about}${usual}`
  })
