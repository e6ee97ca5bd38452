/** One difference between two documents. */

export type Change = {
  readonly isBreaking: boolean
  /** `GET /items/{collection}`, or the type of a GraphQL schema. */
  readonly operation: string
  /** `response 200 data.title is removed` */
  readonly text: string
  /** The method and the type of the SDK that change; null for GraphQL. */
  readonly sdk: { readonly method: string; readonly type: string } | null
}

/** The changes by operation, breaking ones first. */
export function changesText(changes: readonly Change[]): string {
  const breaking = changes.filter(({ isBreaking }) => isBreaking)
  const others = changes.filter(({ isBreaking }) => !isBreaking)
  const count = `${breaking.length} breaking, ${others.length} compatible`
  const parts = [
    ...(breaking.length === 0 ? [] : ['Breaking', '', ...grouped(breaking)]),
    ...(others.length === 0 ? [] : ['Compatible', '', ...grouped(others)]),
    `${breaking.length === 0 ? 'Not breaking' : 'Breaking'}: ${count}`,
  ]
  return `${parts.join('\n')}\n`
}

function grouped(changes: readonly Change[]): readonly string[] {
  const operations = [...new Set(changes.map(({ operation }) => operation))]
  return operations.flatMap((operation) => [
    operation,
    ...changes
      .filter((change) => change.operation === operation)
      .map(({ text, sdk }) => `  ${text}${sdk === null ? '' : `\n    SDK: ${sdk.method}(), ${sdk.type}`}`),
    '',
  ])
}
