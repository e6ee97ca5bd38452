/** `/utils`: small tools. */
import { clearCaches } from '../../core/clear-caches.ts'
import { exportToFile } from '../../core/export-file.ts'
import { filesCollection } from '../../core/guard-files.ts'
import { revertItem } from '../../core/revisions.ts'
import { sortItems } from '../../core/sort-items.ts'
import { hashText, matchHash, ownUser } from '../../core/users.ts'
import { isSystemName } from '../../domain/system-collections.ts'
import type { CurrentUtilsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { empty, json } from '../../http/reply.ts'
import { openCollection, openSystemCollection } from '../collections.ts'
import { timestamp } from '../export.ts'
import { importFile, openImport } from '../import.ts'
import { parseChanges } from '../mutation.ts'
import { parseQuery } from '../query.ts'

export const utils = {
  async createRandomString(ctx, { query }) {
    ownUser(ctx)
    return json({ data: ctx.ids.token(query.length ?? 32) })
  },

  async hashString(ctx, { body }) {
    return json({ data: await hashText(ctx, body.string) }, 200)
  },

  async matchHash(ctx, { body }) {
    return json({ data: await matchHash(ctx, body.string, body.hash) }, 200)
  },

  async importItems(ctx, { path, request }) {
    await importFile(ctx, request.parts(), openImport(ctx, path.collection))
    return empty(200)
  },

  async exportItems(ctx, { path, body: { format, file, query: asked } }) {
    const open = isSystemName(path.collection) ? openSystemCollection : openCollection
    const { collection, visible } = open(ctx, path.collection, 'read')
    const changes = parseChanges(file ?? {}, openSystemCollection(ctx, filesCollection, 'create'))
    const query = parseQuery({ limit: -1, ...asked }, collection.name, visible)
    const filename = `export-${path.collection}-${timestamp(ctx.clock())}.${format}`
    await exportToFile(ctx, { query, format, filename }, changes)
    return empty()
  },

  async sortItems(ctx, { path, body }) {
    const { collection } = openCollection(ctx, path.collection, 'update')
    await sortItems(ctx, collection, body.item, body.to)
    return empty(200)
  },

  async clearCache(ctx, { query }) {
    await clearCaches(ctx, { system: query.system !== undefined && query.system !== 'false' })
    return empty(200)
  },

  async revertItem(ctx, { path }) {
    await revertItem(ctx, path.revision)
    return empty()
  },
} satisfies Handlers<CurrentUtilsOperations>
