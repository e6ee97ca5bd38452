/** The data model in files, for the commands of the command line. */
import { assertAdministrator } from '../../core/model/schema-change.ts'
import { syncSchema } from '../../core/model/schema-sync.ts'
import type { ConfigurationModel, Entry, FileKind } from '../../domain/ports/configuration.ts'
import { createSchemaCheck } from '../../http/validation/schema-check.ts'
import { adoptSnapshot } from '../sync/foreign-snapshot.ts'
import { changesBetween, leftoverOf } from '../sync/schema-changes.ts'
import { diffSnapshots } from '../sync/schema-diff.ts'
import { completeSnapshot, parseSnapshot } from '../sync/schema-given.ts'
import { type Snapshot, takeSnapshot } from '../sync/schema-snapshot.ts'
import { withNamesOf } from '../views/system-names.ts'
import { toCollectionFiles, toSnapshot } from './collection-files.ts'
import { fileSchemas, schemaOf } from './file-schemas.ts'
import { modelChanges } from './model-changes.ts'

type Check = ReturnType<typeof createSchemaCheck>

const checks = new Map<FileKind, Check>()

/** Compiled on first use. */
function checkOf(kind: FileKind): Check {
  const check = checks.get(kind) ?? createSchemaCheck(fileSchemas, `file-${kind}`)
  checks.set(kind, check)
  return check
}

/** Of this generation. */
export const configurationModel: ConfigurationModel = {
  check: (kind, value) => checkOf(kind)(value),
  schemaOf,
  storedNames: ({ schema }, document) =>
    withNamesOf(document, (name) => schema.collections.get(name)?.system === false),
  collections: (ctx) => toCollectionFiles(takeSnapshot(ctx.schema, ctx.server.version), ctx.schema),
  adopt(snapshot, ignored) {
    const log = { warn: (detail: object) => ignored((detail as { readonly keys?: readonly string[] }).keys ?? []) }
    // Which version made it does not matter to files.
    const server = { version: 'unknown' }
    return toCollectionFiles(withoutForeignTables(adoptSnapshot({ log, server }, snapshot)), null)
  },
  compare(ctx, wanted, secrets) {
    assertAdministrator(ctx)
    const take = (schema: typeof ctx.schema) => takeSnapshot(schema, ctx.server.version)
    const present = take(ctx.schema)
    const target = completeSnapshot(parseSnapshot(toSnapshot(wanted, ctx.server.version, ctx.schema)), present)
    return {
      changes: modelChanges(diffSnapshots(present, target), {
        secrets,
        sides: (collection, field) => ({
          before: fieldIn(present, collection, field),
          after: fieldIn(target, collection, field),
        }),
        listOf: ({ collection, field }) =>
          present.relations.find((each) => each.collection === collection && each.field === field)?.meta?.one_field ??
          null,
      }),
      apply: (inner) =>
        syncSchema(inner, {
          changes: (schema) => changesBetween(take(schema), target),
          leftover: (schema) => leftoverOf(take(schema), target),
        }),
    }
  },
}

const isOwn = ({ collection }: { readonly collection: string }): boolean => !collection.startsWith('directus_')

/** Tables of extensions, and system collections that Tandem does not have. */
function withoutForeignTables(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    collections: snapshot.collections.filter(isOwn),
    fields: snapshot.fields.filter(isOwn),
    relations: snapshot.relations.filter(isOwn),
  }
}

type Fields = { readonly fields: readonly { readonly collection: string; readonly field: string }[] }

const fieldIn = ({ fields }: Fields, collection: string, name: string): Entry | null =>
  (fields.find((each) => each.collection === collection && each.field === name) as Entry | undefined) ?? null
