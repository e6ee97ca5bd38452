/** One difference between two documents. */

/** `perhaps`: it depends on the values of a client, or on how it reads. */
export type Severity = 'breaking' | 'perhaps' | 'safe'

/** Who sends the value. */
export type Direction = 'request' | 'response'

/** The severity of what breaks in one direction only. */
export const breaksIf = (isBreaking: boolean): Severity => (isBreaking ? 'breaking' : 'safe')

/** What a client has to use to notice a change. */
export type ChangeLocation = {
  /** The operationId; null for every operation. */
  readonly operation: string | null
  /** Method and path; null for GraphQL. */
  readonly called: string | null
  /** Names of a type and of fields, such as `articles.author.name`; null for the operation as a whole. */
  readonly path: string | null
  readonly access: 'read' | 'write' | 'any'
}

export type CountedClient = {
  readonly client: string
  readonly operation: string
  readonly path: string
  readonly lastCall: string
}

export type Change = {
  readonly severity: Severity
  readonly isBreaking: boolean
  /** `GET /items/{collection}`, or the type of a GraphQL schema. */
  readonly operation: string
  /** `response 200 data.title is removed` */
  readonly text: string
  /** The method and the type of the SDK that change; null for GraphQL. */
  readonly sdk: { readonly method: string; readonly type: string } | null
  readonly location: ChangeLocation
  /** The clients that use it, the latest first; null if no usage was given. */
  readonly clients: readonly CountedClient[] | null
}

const titles = { breaking: 'Breaking', perhaps: 'Perhaps breaking', safe: 'Compatible' } as const

export function changesText(changes: readonly Change[]): string {
  const of = (severity: Severity): readonly Change[] => changes.filter((each) => each.severity === severity)
  const [breaking, perhaps, safe] = [of('breaking'), of('perhaps'), of('safe')]
  const count = [
    `${breaking.length} breaking`,
    ...(perhaps.length === 0 ? [] : [`${perhaps.length} perhaps`]),
    `${safe.length} compatible`,
  ].join(', ')
  const parts = [breaking, perhaps, safe].flatMap((some) =>
    some[0] === undefined ? [] : [titles[some[0].severity], '', ...grouped(some)],
  )
  return `${[...parts, `${breaking.length === 0 ? 'Not breaking' : 'Breaking'}: ${count}`].join('\n')}\n`
}

function grouped(changes: readonly Change[]): readonly string[] {
  const operations = [...new Set(changes.map(({ operation }) => operation))]
  return operations.flatMap((operation) => [
    operation,
    ...changes.filter((change) => change.operation === operation).map(describe),
    '',
  ])
}

const describe = ({ text, sdk, severity, clients }: Change): string =>
  [
    `  ${text}`,
    ...(sdk === null ? [] : [`    SDK: ${sdk.method}(), ${sdk.type}`]),
    ...(severity === 'safe' ? [] : clientLines(severity, clients ?? [])),
  ].join('\n')

function clientLines(severity: Severity, clients: readonly CountedClient[]): readonly string[] {
  const verb = severity === 'breaking' ? 'breaks' : 'perhaps breaks'
  return [...new Set(clients.map(({ client }) => client))].map((name) => {
    const uses = clients.filter(({ client }) => client === name)
    const places = [...new Set(uses.map(({ operation, path }) => `${operation} ${path}`.trim()))]
    const last =
      uses
        .map(({ lastCall }) => lastCall)
        .toSorted()
        .at(-1) ?? ''
    return `    This change ${verb} ${name} (last call ${last}) at ${places.join(', ')}`
  })
}
