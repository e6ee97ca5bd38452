/** A plan as lines for people, with the clients that each change breaks. */
import type { AffectedClient, ChangeWithClients } from '../../domain/ports/configuration.ts'
import type { PlanWithClients } from './project-connection.ts'

/** How many clients and operations are listed by name. */
const most = { clients: 10, operations: 5 } as const

/** `now`: from when the times of last calls are counted. */
export function linesOf({ changes, kept }: PlanWithClients, now: Date): readonly string[] {
  return [
    ...(changes.length === 0 ? ['Nothing differs.'] : changes.flatMap((change) => changeLines(change, now))),
    ...kept.map((each) => `Stays, as it is in no file: ${each}`),
  ]
}

function changeLines({ words, clients }: ChangeWithClients, now: Date): readonly string[] {
  const byClient = [...Map.groupBy(clients, ({ client }) => client)]
  const lines = byClient.slice(0, most.clients).map(([name, uses]) => `  ${clientLine(name, uses, now)}`)
  const rest = byClient.length - most.clients
  return [words, ...lines, ...(rest > 0 ? [`  and ${rest} more clients`] : [])]
}

/** `This change breaks shop-frontend 2.3 (last call 4 minutes ago) at readItems articles.author.name`. */
function clientLine(name: string, uses: readonly AffectedClient[], now: Date): string {
  const isCertain = uses.some(({ severity }) => severity === 'breaking')
  const last =
    uses
      .map(({ lastCall }) => lastCall)
      .toSorted()
      .at(-1) ?? ''
  const operations = uses.map(({ generation, operation, path }) =>
    [...(generation === 'current' ? [] : [generation]), operation, ...(path === '' ? [] : [path])].join(' '),
  )
  const shown = [...new Set(operations)]
  const rest = shown.length - most.operations
  const listed = [...shown.slice(0, most.operations), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  return `This change ${isCertain ? 'breaks' : 'perhaps breaks'} ${name} (last call ${ago(last, now)}) at ${listed}`
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** @example ago('2026-09-14T09:22:53Z', new Date('2026-09-14T09:26:53Z')) // 4 minutes ago */
export function ago(time: string, now: Date): string {
  const passed = Math.max(0, now.getTime() - Date.parse(time))
  const [name, length] = units.find(([, each]) => passed >= each) ?? ['second', 1000]
  const count = Math.floor(passed / length)
  return `${count} ${name}${count === 1 ? '' : 's'} ago`
}
