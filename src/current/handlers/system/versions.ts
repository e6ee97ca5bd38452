/** `/versions`: unpublished changes of items. */

import { promoteVersion } from '../../../core/history/promote-version.ts'
import { compareVersion, saveVersion } from '../../../core/history/versions.ts'
import { versionsCollection } from '../../../core/rows/versioned.ts'
import type { QueryContext } from '../../../domain/ports/context.ts'
import type { Query } from '../../../domain/query/query.ts'
import type { CurrentVersionsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { json, jsonText } from '../../../http/reply/reply.ts'
import { openCollection } from '../../wire/collections.ts'
import type { QueryInput } from '../../wire/level.ts'
import { parseChanges } from '../../wire/mutation.ts'
import { parseQuery } from '../../wire/query.ts'
import { serializeItem } from '../../wire/serialize.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(versionsCollection)

export const versions = {
  readVersions: readMany,
  readVersion: readOne,
  createVersions: create,
  updateVersions: updateMany,
  updateVersion: updateOne,
  deleteVersions: deleteMany,
  deleteVersion: deleteOne,

  async saveVersion(ctx, { path, query, body }) {
    const saved = await saveVersion(ctx, path.id, {
      changes: (collection) => parseChanges(body, openCollection(ctx, collection.name, 'update')),
      query: ({ name }) => queryOf(ctx, name, query),
    })
    return jsonText(serializeItem(saved))
  },

  async compareVersion(ctx, { path }) {
    const compared = await compareVersion(ctx, path.id, ({ name }) => queryOf(ctx, name, {}))
    return jsonText(serializeItem(compared))
  },

  async promoteVersion(ctx, { path, body }) {
    return json({ data: String(await promoteVersion(ctx, path.id, body)) })
  },
} satisfies Handlers<CurrentVersionsOperations>

const queryOf = (ctx: QueryContext, name: string, query: QueryInput): Query =>
  parseQuery(query, name, openCollection(ctx, name, 'read').visible)
