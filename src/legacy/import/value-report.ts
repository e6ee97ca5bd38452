/** Counts changed values by kind of change, with the places of the first ones. */

export type ReportedValue = {
  readonly table: string
  readonly column: string
  readonly what: string
  readonly count: number
  readonly examples: readonly { readonly key: string; readonly value: string }[]
}

const mostExamples = 100

export type ValueReport = {
  readonly add: (
    cell: { readonly table: string; readonly column: string; readonly key: string },
    value: string,
    what: string,
  ) => void
  /** Begins a table anew, whose rows are read once more. */
  readonly forget: (table: string) => void
  readonly all: () => readonly ReportedValue[]
}

export function createValueReport(): ValueReport {
  const changes = new Map<string, { count: number; readonly examples: { key: string; value: string }[] }>()
  return {
    add({ table, column, key }, value, what) {
      const group = JSON.stringify([table, column, what])
      const own = changes.get(group) ?? { count: 0, examples: [] }
      changes.set(group, own)
      own.count += 1
      if (own.examples.length < mostExamples) own.examples.push({ key, value: value.slice(0, 200) })
    },
    forget(table) {
      for (const group of changes.keys()) if (JSON.parse(group)[0] === table) changes.delete(group)
    },
    all: () =>
      [...changes].map(([group, { count, examples }]) => {
        const [table = '', column = '', what = ''] = JSON.parse(group) as string[]
        return { table, column, what, count, examples }
      }),
  }
}
