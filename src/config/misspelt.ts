/** Detects misspelt names of settings, which would otherwise be ignored silently. */

import type { Log } from '../domain/ports/context.ts'
import { locationSettings } from './location-settings.ts'
import { settingList } from './settings.ts'

export type Misspelt = { readonly name: string; readonly meant: string }

/** Environment variables that are similar to a setting, with that setting. `locations` are the names of storage locations. */
export function findMisspelt(names: readonly string[], locations: readonly string[]): readonly Misspelt[] {
  const known = [
    ...settingList.map(([name]) => name),
    ...locations.flatMap((each) => Object.keys(locationSettings).map((key) => `STORAGE_${each.toUpperCase()}_${key}`)),
  ]
  const isKnown = new Set(known.flatMap((name) => [name, `${name}_FILE`]))
  return names
    .filter((name) => !isKnown.has(name))
    .flatMap((name) => {
      const suffix = /_FILE$/i.test(name) ? '_FILE' : ''
      const stem = name.slice(0, name.length - suffix.length)
      const meant = closest(stem, known)
      return meant === null ? [] : [{ name, meant: `${meant}${suffix}` }]
    })
}

/** Logs a warning for each. */
export function warnOf(misspelt: readonly Misspelt[], log: Pick<Log, 'warn'>): void {
  for (const { name, meant } of misspelt) log.warn({}, `Unknown setting ${name}: ${meant} may be meant`)
}

function closest(name: string, known: readonly string[]): string | null {
  const upper = name.toUpperCase()
  const near = known
    .filter((each) => each[0] === upper[0] && Math.abs(each.length - upper.length) <= 2)
    .map((each) => ({ each, slips: slipsBetween(upper, each) }))
    .filter(({ each, slips }) => slips <= allowedSlips(name, each))
    .toSorted((a, b) => a.slips - b.slips)
  return near[0]?.each ?? null
}

/** Allowed edit distance: small for short names, because other programs have similar variables. */
function allowedSlips(name: string, known: string): number {
  if (foreign.has(name)) return -1
  return known.length >= 10 ? 2 : 1
}

/** Names of other programs, and English words, that are one letter away from a setting of one word. */
const foreign: ReadonlySet<string> = new Set(['PORTS', 'POST', 'PART', 'HOSTS', 'HOSE', 'HOST1', 'SECRETS', 'PORT1'])

/** The edit distance with transpositions (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const above = rows[i - 1] as number[]
      const wrong = one[i - 1] === other[j - 1] ? 0 : 1
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const ways = [(above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + wrong]
      row.push(Math.min(...ways, isSwapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY))
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}
