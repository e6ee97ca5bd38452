/** Webhooks of the source. They are sent what its first role, the administrators, may read, as they were there. */

import { seedIds } from '../../../domain/schema/identity.ts'
import { collectionHere } from '../names.ts'
import { filled, type SourceRecord } from '../records.ts'
import { type Draft, mirrorOf, type Tell } from './drafts.ts'

export const webhooksMirror = mirrorOf(
  'platform_webhooks',
  ['id'],
  `id integer, name varchar(255), status varchar(16), method varchar(10), url varchar(2000), collections text,
  actions varchar(100), format varchar(16), role uuid`,
)

const existing = /^item\.(create|update|delete)(?::after)?$/

/** A webhook without an address, a collection or a known action is kept inactive. */
export function draftWebhook(row: SourceRecord, tell: Tell): Draft {
  const [url, name] = [filled(row, 'url'), filled(row, 'collection')]
  const collection = name === null ? null : collectionHere(name)
  const [, action] = existing.exec(filled(row, 'directus_action') ?? '') ?? []
  const faults = [
    ...(URL.canParse(url ?? '') ? [] : [`"${url ?? ''}" is no address`]),
    ...(collection === null ? ['it has no collection'] : []),
    ...(action === undefined ? [`the action "${row['directus_action'] ?? ''}" is not known here`] : []),
  ]
  const isWhole = faults.length === 0
  if (!isWhole && row['status'] === 'active') tell(`The webhook ${row['id']} is inactive: ${faults.join(', ')}`)
  return {
    id: row['id'] ?? null,
    name: (url ?? '').slice(0, 255),
    status: isWhole && row['status'] === 'active' ? 'active' : 'inactive',
    method: filled(row, 'http_action')?.toLowerCase() === 'get' ? 'GET' : 'POST',
    url: url ?? '',
    collections: collection ?? name ?? '',
    actions: action ?? '',
    format: 'item',
    role: seedIds.administratorRole,
  }
}
