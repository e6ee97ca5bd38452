/** Snapshots of other servers of this generation → snapshots of this one. */
import { isRecord } from '../../domain/is-record.ts'
import type { Context } from '../../domain/ports/context.ts'
import spec from '../../generated/current-spec.json' with { type: 'json' }
import { withKnownKeys } from '../../http/validation/unknown-keys.ts'
import { withRealNames } from '../views/system-names.ts'
import { parseSnapshot } from './schema-given.ts'
import type { Snapshot } from './schema-snapshot.ts'

type Adopting = {
  readonly log: Pick<Context['log'], 'warn'>
  readonly server: Pick<Context['server'], 'version'>
}

/**
 * Reads a snapshot. One that says `directus` and not `platform` is taken whatever its version. Keys that are not known here are left out,
 * and are named in one line of the log.
 */
export function adoptSnapshot({ log, server }: Adopting, input: unknown): Snapshot {
  if (!isRecord(input)) return parseSnapshot(input)
  const { directus, systemFields: _, ...rest } = input
  const named =
    typeof directus === 'string' && rest['platform'] === undefined
      ? { ...withRealNames(rest), platform: server.version }
      : rest
  const ignored = new Set<string>()
  const parsed = parseSnapshot(
    withKnownKeys(named, spec.components.schemas.SchemaSnapshot, { spec, path: '', ignored }),
  )
  const keys = parsed.fields.filter(({ schema }) => schema?.is_primary_key === true)
  const widths = Map.groupBy(keys, ({ collection }) => collection)
  const fields = parsed.fields.map((field) => withUniqueKey(field, widths.get(field.collection)?.length ?? 0))
  const snapshot = { ...parsed, fields }
  if (ignored.size > 0) {
    log.warn({ keys: [...ignored].toSorted(), directus }, 'A snapshot has keys that are not known and are ignored')
  }
  return snapshot
}

/** Some databases do not report that the values of a primary key are unique. Those of one column of several are not. */
const withUniqueKey = (field: Snapshot['fields'][number], width: number): Snapshot['fields'][number] =>
  width === 1 && field.schema?.is_primary_key === true
    ? { ...field, schema: { ...field.schema, is_unique: true, is_nullable: false } }
    : field
