/** `/schema`: the whole data model, out of one project and into another. */
import { toCsvTable, toXml, toYaml } from '../../exchange/documents.ts'
import type { CurrentSchemaOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { attachment, empty, json, text } from '../../http/reply.ts'
import { snapshotRows } from '../schema-rows.ts'
import { applyDiff, compareSnapshot, readSnapshot } from '../schema-sync.ts'

export const schema = {
  async readSchemaSnapshot(ctx, { query }) {
    const snapshot = readSnapshot(ctx)
    if (query.export === undefined) return json({ data: snapshot })
    const { type, write } = formats[query.export]
    const moment = ctx.clock().toISOString().slice(0, 19).replaceAll(':', '-')
    return attachment(text(write(snapshot), type), `snapshot-${moment}.${query.export}`)
  },

  async diffSchema(ctx, { query, body }) {
    const force = query.force !== undefined && !['false', '0', false].includes(query.force)
    const found = compareSnapshot(ctx, body, force)
    return found === null ? empty(204) : json({ data: found }, 200)
  },

  async applySchema(ctx, { body }) {
    await applyDiff(ctx, body)
    return empty()
  },
} satisfies Handlers<CurrentSchemaOperations>

const formats = {
  json: { type: 'application/octet-stream', write: (value: unknown) => `${JSON.stringify(value, null, 2)}\n` },
  yaml: { type: 'application/yaml; charset=utf-8', write: toYaml },
  xml: { type: 'application/xml; charset=utf-8', write: toXml },
  csv: {
    type: 'text/csv; charset=utf-8',
    write: (value: Parameters<typeof snapshotRows>[0]) => toCsvTable(snapshotRows(value)),
  },
} as const
