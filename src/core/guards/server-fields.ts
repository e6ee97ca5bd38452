/** Fields of system collections that clients cannot set or change. */
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import { invalidPayload, type TandemError } from '../../domain/rights/errors.ts'
import type { ChangedItem } from '../rows/touched-collections.ts'
import { fileFacts } from './guard-files.ts'

/** Set by the server when deliveries fail, and when a secret is replaced. */
export const webhookFacts = ['previous_secret', 'previous_secret_until', 'failing_since', 'failure'] as const

/** Fields that only the server sets, by collection. */
const setByServer = new Map<string, readonly string[]>([
  ['platform_shares', ['times_used', 'date_created', 'user_created']],
  ['platform_versions', ['delta', 'hash', 'date_created', 'date_updated', 'user_created', 'user_updated']],
  ['platform_webhooks', webhookFacts],
])

/** The item of a share or of a version, which stays. */
const itemFields = ['collection', 'item'] as const

const facts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['platform_files', fileFacts],
  ...[...setByServer].map(([name, fields]) => [name, new Set<string>([...fields, ...itemFields])] as const),
])

/** Whether the field is kept when its row is reverted to an earlier state. */
export const isFact = (collection: string, field: string): boolean => facts.get(collection)?.has(field) ?? false

const refused = (name: string, expected: string): TandemError =>
  invalidPayload(name, `Expected ${expected} for field "${name}"`)

/** Throws `invalid-payload` for a field that only the server sets. */
export function assertNotSetByServer({ actor }: Pick<Context, 'actor'>, items: readonly ChangedItem[]): void {
  if (actor.kind === 'system') return
  for (const { collection, changes } of items)
    for (const name of setByServer.get(collection) ?? []) if (changes.has(name)) throw refused(name, 'no value')
}

/** Throws `invalid-payload` if written shares or versions now belong to another item. */
export function assertItemStays({ kind, columns }: Written): void {
  if (kind === 'insert') return
  for (const name of itemFields) if (columns.includes(name)) throw refused(name, 'no other value')
}
