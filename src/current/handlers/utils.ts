/** `/utils`: utilities. */

import { hashText, matchHash, ownUser } from '../../core/accounts/users.ts'
import { settled } from '../../core/batch/received.ts'
import { receiveExport } from '../../core/files/export-file.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import { revertItem } from '../../core/history/revisions.ts'
import type { ImportReport } from '../../core/items/import-items.ts'
import { sortItems } from '../../core/items/sort-items.ts'
import { clearCaches } from '../../core/server/server.ts'
import { isSystemName } from '../../domain/model/system-collections.ts'
import { extensionOf } from '../../exchange/formats.ts'
import type { CurrentUtilsOperations } from '../../generated/current.ts'
import { always, type Handlers } from '../../http/app/handlers.ts'
import { ignoredFields } from '../../http/reply/ignored-fields.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { importBatch } from '../import/batch-import.ts'
import { openCollection, openSystemCollection } from '../wire/collections.ts'
import { timestamp } from '../wire/export.ts'
import { openImport, receiveFile, toReport } from '../wire/import.ts'
import { parseChanges } from '../wire/mutation.ts'
import { parseQuery } from '../wire/query.ts'

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

  async importItems(ctx, { path, query: { dryRun = false }, request, once = always }) {
    const received = await receiveFile(ctx, request.parts(), openImport(ctx, path.collection))
    const answer = async (report: Promise<ImportReport>) => json({ data: toReport(!dryRun, await report) }, 200)
    if (dryRun) return settled({ ...received, write: received.try }, (write) => answer(write(ctx)))
    return settled(received, (write) => once(ctx, (inner) => answer(write(inner))))
  },

  async importCollections(ctx, { query, body }) {
    const { mode = 'add', dryRun = false, dangerouslyAllowDelete: prunes = false } = query
    const { result, ignored } = await importBatch(ctx, body, { mode, dryRun, prunes })
    return { ...json({ data: result }, 200), headers: ignoredFields(ignored) }
  },

  async exportItems(ctx, { path, body: { format, file, query: exportQuery }, once = always }) {
    const open = isSystemName(path.collection) ? openSystemCollection : openCollection
    const { collection, visible } = open(ctx, path.collection, 'read')
    const changes = parseChanges(file ?? {}, openSystemCollection(ctx, filesCollection, 'create'))
    const query = parseQuery({ limit: -1, ...exportQuery }, collection.name, visible)
    const filename = `export-${path.collection}-${timestamp(ctx.clock())}.${extensionOf(format)}`
    const received = await receiveExport(ctx, { query, format, filename }, changes)
    return settled(received, (write) => once(ctx, (inner) => write(inner).then(() => empty())))
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
