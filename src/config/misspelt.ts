/** Detects misspelt names of settings, which would otherwise be ignored silently. */

import type { Log } from '../domain/ports/context.ts'
import { slipsBetween } from '../domain/slips.ts'
import { providerSettings } from './providers/provider-settings.ts'
import { prefixOf } from './providers/providers.ts'
import { locationSettings } from './settings/locations.ts'
import { settingList } from './settings.ts'

/** `meant`: null = nothing like it; the variable is known elsewhere and has no effect here. */
export type Misspelt = { readonly name: string; readonly suggestion: string | null }

type Configured = readonly { readonly name: string; readonly driver: keyof typeof providerSettings }[]

/**
 * Environment variables that are similar to a setting, with that setting, and variables of identity providers that have
 * no effect. `locations` are the names of storage locations.
 */
export function findMisspelt(
  names: readonly string[],
  locations: readonly string[],
  providers: Configured,
): readonly Misspelt[] {
  const existing = [
    ...settingList.map(([name]) => name),
    ...locations.flatMap((each) => Object.keys(locationSettings).map((key) => `STORAGE_${each.toUpperCase()}_${key}`)),
    ...providers.flatMap(namesOf),
  ]
  const isKnown = new Set(existing.flatMap((name) => [name, `${name}_FILE`]))
  return names
    .filter((name) => !isKnown.has(name) && !isParameter(name, providers))
    .flatMap((name): readonly Misspelt[] => {
      const suffix = /_FILE$/i.test(name) ? '_FILE' : ''
      const stem = name.slice(0, name.length - suffix.length)
      const suggestion = closest(stem, existing)
      if (suggestion !== null) return [{ name, suggestion: `${suggestion}${suffix}` }]
      return isOfProvider(stem, providers) ? [{ name, suggestion: null }] : []
    })
}

const namesOf = ({ name, driver }: Configured[number]): readonly string[] =>
  ['DRIVER', ...Object.keys(providerSettings[driver])].map((key) => `${prefixOf(name)}${key}`)

const isParameter = (name: string, providers: Configured): boolean =>
  providers.some(
    (each) => 'PARAMS' in providerSettings[each.driver] && name.startsWith(`${prefixOf(each.name)}PARAMS__`),
  )

/** A setting of a provider whose driver does not know it, or of one that AUTH_PROVIDERS does not list. */
const isOfProvider = (name: string, providers: Configured): boolean =>
  providers.some((each) => name.startsWith(prefixOf(each.name))) || unlisted.test(name)

const unlisted = new RegExp(
  `^AUTH_[A-Z0-9_]+_(?:DRIVER|${[...new Set(Object.values(providerSettings).flatMap(Object.keys))].join('|')})$`,
)

export function warnOf(misspelt: readonly Misspelt[], log: Pick<Log, 'warn'>): void {
  for (const { name, suggestion } of misspelt) {
    if (suggestion === null) log.warn({}, `The setting ${name} has no effect`)
    else log.warn({}, `Unknown setting ${name}: ${suggestion} may be meant`)
  }
}

function closest(name: string, names: readonly string[]): string | null {
  const upper = name.toUpperCase()
  const near = names
    .filter((each) => each[0] === upper[0] && Math.abs(each.length - upper.length) <= 2)
    .map((each) => ({ each, slips: slipsBetween(upper, each) }))
    .filter(({ each, slips }) => slips <= allowedSlips(name, each))
    .toSorted((a, b) => a.slips - b.slips)
  return near[0]?.each ?? null
}

/** Allowed edit distance: small for short names, because other programs have similar variables. */
function allowedSlips(name: string, existing: string): number {
  if (foreign.has(name)) return -1
  return existing.length >= 10 ? 2 : 1
}

/** Names of other programs, and English words, that are one letter away from a setting of one word. */
const foreign: ReadonlySet<string> = new Set(['PORTS', 'POST', 'PART', 'HOSTS', 'HOSE', 'HOST1', 'SECRETS', 'PORT1'])
