/** Keeps the counts and notes of an import. */
import type { ImportedTable, ImportReport } from '../../domain/ports/import-source.ts'
import { TandemError } from '../../domain/rights/errors.ts'

type Counts = { -readonly [Name in keyof ImportedTable]: ImportedTable[Name] }

/** Most rows that are named for one reason. */
const mostNamed = 5

export type Reporting = {
  readonly table: (collection: string) => Counts
  readonly note: (text: string) => void
  /** What was skipped or changed. */
  readonly miss: (text: string) => void
  /** A row that was not taken. */
  readonly lose: (collection: string, key: unknown, error: unknown) => void
  readonly report: () => ImportReport
}

export function createReport(): Reporting {
  const tables = new Map<string, Counts>()
  const notes = new Set<string>()
  const misses = new Set<string>()
  const lost = new Map<string, unknown[]>()
  return {
    table(collection) {
      const counts = tables.get(collection) ?? { collection, source: 0, here: 0, created: 0, updated: 0 }
      tables.set(collection, counts)
      return counts
    },
    note: (text) => void notes.add(text),
    miss: (text) => void misses.add(text),
    lose(collection, key, error) {
      const reason = `${collection}: ${reasonOf(error)}`
      lost.set(reason, [...(lost.get(reason) ?? []), key])
    },
    report: () => ({
      tables: [...tables.values()],
      notes: [...[...lost].map(([reason, keys]) => describeLost(reason, keys)), ...misses, ...notes],
      isWhole:
        lost.size === 0 && misses.size === 0 && [...tables.values()].every(({ source, here }) => source === here),
    }),
  }
}

function describeLost(reason: string, keys: readonly unknown[]): string {
  const named = keys.slice(0, mostNamed).map(String).join(', ')
  return `${keys.length === 1 ? '1 row' : `${keys.length} rows`} of ${reason} (${named}${keys.length > mostNamed ? ', …' : ''})`
}

/** The first failure in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof TandemError)) return error instanceof Error ? error.message : String(error)
  const { kind, ...facts } = error.failures[0]
  const textFacts = Object.entries(facts).filter(([, value]) => typeof value === 'string')
  return [kind.replaceAll('-', ' '), ...textFacts.map(([name, value]) => `${name} ${String(value)}`)].join(', ')
}
