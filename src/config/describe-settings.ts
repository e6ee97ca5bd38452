import type { Setting } from './kinds.ts'
import { locationSettings } from './location-settings.ts'
import { providerSettings } from './providers/provider-settings.ts'
import { settings } from './settings.ts'

export function describeSettings(): string {
  const lines = ['Settings come from the environment and from a .env file beside it; the environment wins.']
  lines.push('NAME_FILE reads the value of NAME from a file.')
  for (const [group, rows] of Object.entries(settings)) {
    lines.push('', group)
    for (const [name, row] of Object.entries(rows as { readonly [name: string]: Setting<unknown> })) {
      lines.push(`  ${name.padEnd(45)}${row.about}${row.fallback === null ? '' : ` [${row.fallback}]`}`)
    }
  }
  lines.push('', 'For each storage location')
  for (const [name, row] of Object.entries(locationSettings)) {
    lines.push(
      `  ${`STORAGE_<NAME>_${name}`.padEnd(40)}${row.about}${row.fallback === null ? '' : ` [${row.fallback}]`}`,
    )
  }
  for (const [driver, rows] of Object.entries(providerSettings)) {
    lines.push('', `For each provider with AUTH_<NAME>_DRIVER=${driver}`)
    for (const [name, row] of Object.entries(rows as { readonly [name: string]: Setting<unknown> }))
      lines.push(
        `  ${`AUTH_<NAME>_${name}`.padEnd(45)}${row.about}${row.fallback === null ? '' : ` [${row.fallback}]`}`,
      )
  }
  return lines.join('\n')
}
