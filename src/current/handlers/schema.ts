/** `/schema`: export and import of the data model. */
import type { CurrentSchemaOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { attachment, empty, json, text } from '../../http/reply/reply.ts'
import { adoptSnapshot } from '../sync/foreign-snapshot.ts'
import { withPlatformKeys } from '../sync/schema-snapshot.ts'
import { applyDiff, compareSnapshot, readSnapshot } from '../sync/schema-sync.ts'

export const schema = {
  async readSchemaSnapshot(ctx, { query }) {
    const snapshot = readSnapshot(ctx, {
      include: { name: 'includeCollections', raw: query.includeCollections },
      exclude: { name: 'excludeCollections', raw: query.excludeCollections },
    })
    const whole = withPlatformKeys(snapshot, ctx.server.compatibleVersion)
    if (query.export === undefined) return json({ data: whole })
    const { type, write } = formats[query.export]
    const moment = ctx.clock().toISOString().slice(0, 19).replaceAll(':', '-')
    return attachment(text(await write(whole), type), `snapshot-${moment}.${query.export}`)
  },

  async diffSchema(ctx, { query, body }) {
    const force = query.force !== undefined && !['false', '0', false].includes(query.force)
    const diff = compareSnapshot(ctx, adoptSnapshot(ctx, body), force)
    if (diff === null) return empty(204)
    return json({ data: { ...diff, diff: { ...diff.diff, systemFields: [] } } }, 200)
  },

  async applySchema(ctx, { body }) {
    const { systemFields: _, ...diff } = body.diff
    await applyDiff(ctx, { ...body, diff })
    return empty()
  },
} satisfies Handlers<CurrentSchemaOperations>

type Snapshot = ReturnType<typeof withPlatformKeys>

/** Loaded on first use: most servers never write such a file. */
const documents = () => import('../../exchange/documents.ts')

const formats = {
  json: {
    type: 'application/json; charset=utf-8',
    write: async (value: Snapshot) => `${JSON.stringify(value, null, 2)}\n`,
  },
  yaml: {
    type: 'application/yaml; charset=utf-8',
    write: async (value: Snapshot) => (await documents()).toYaml(value),
  },
  xml: { type: 'application/xml; charset=utf-8', write: async (value: Snapshot) => (await documents()).toXml(value) },
  csv: {
    type: 'text/csv; charset=utf-8',
    write: async (value: Snapshot) => (await documents()).toCsvTable(snapshotRows(value)),
  },
} as const

type SnapshotRow = { readonly [column: string]: unknown }

/** A snapshot as a table with one row per collection, field and relation. */
function snapshotRows({ collections, fields, relations }: Snapshot): readonly SnapshotRow[] {
  return [
    ...collections.map((entry) => toRow('collection', entry)),
    ...fields.map((entry) => toRow('field', entry)),
    ...relations.map((entry) => toRow('relation', entry)),
  ]
}

const toRow = (part: string, entry: SnapshotRow): SnapshotRow => ({
  part,
  collection: entry['collection'],
  field: entry['field'],
  related_collection: entry['related_collection'],
  type: entry['type'],
  meta: entry['meta'],
  schema: entry['schema'],
})
