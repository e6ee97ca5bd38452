/** Who calls what of the version 8 API, by program: the versions of one are together. */

export type Use = {
  readonly client: string
  readonly operation: string
  readonly access: string
  readonly path: string
  readonly calls: number
  readonly last_call: string
  readonly called: string | null
  readonly successors: readonly { readonly id: string; readonly method: string; readonly path: string }[]
  readonly changes: string | null
}

export type Program = {
  readonly name: string
  readonly versions: readonly string[]
  readonly lastCall: string
  readonly operations: readonly Operation[]
}

export type Operation = Pick<Use, 'successors' | 'changes'> & {
  readonly name: string
  readonly calls: number
  /** The versions that call it. */
  readonly versions: readonly string[]
  readonly fields: readonly string[]
}

/** `shop-app 1.10`; names of API keys are whole. */
const versioned = /^(?!key )(?<name>.+) (?<version>\d+(?:\.\d+)?)$/

const nameOf = ({ client }: Use): string => versioned.exec(client)?.groups?.['name'] ?? client

/** The versions, the newest first. */
function versionsOf(uses: readonly Use[]): readonly string[] {
  const versions = new Set(uses.flatMap(({ client }) => versioned.exec(client)?.groups?.['version'] ?? []))
  return [...versions].toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

/** The program that called last comes first, and of its operations the one that is called most. */
export const programsOf = (uses: readonly Use[]): readonly Program[] =>
  [...Map.groupBy(uses, nameOf)]
    .map(([name, own]) => ({
      name,
      versions: versionsOf(own),
      lastCall: own.reduce((last, { last_call }) => (last_call > last ? last_call : last), ''),
      operations: [...Map.groupBy(own, ({ operation }) => operation).values()]
        .map(toOperation)
        .toSorted((a, b) => b.calls - a.calls),
    }))
    .toSorted((a, b) => b.lastCall.localeCompare(a.lastCall))

function toOperation(uses: readonly Use[]): Operation {
  const [first] = uses
  const calls = uses.filter(({ access }) => access === 'call')
  return {
    name: first?.called ?? first?.operation ?? '',
    calls: calls.reduce((sum, each) => sum + each.calls, 0),
    versions: versionsOf(uses),
    fields: [...new Set(uses.map(({ path }) => path))].filter((path) => path.includes('.')).toSorted(),
    successors: first?.successors ?? [],
    changes: first?.changes ?? null,
  }
}
