/** `/files/tus`: resumable uploads. */
import { openUploads } from '../../core/files/uploads.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { ResumableReply, ResumableRequest } from '../../domain/ports/uploads.ts'
import { invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import type { CurrentUploadsOperations } from '../../generated/current.ts'
import { always, type Handlers } from '../../http/app/handlers.ts'
import { ignoredFields } from '../../http/reply/ignored-fields.ts'
import { empty, withHeaders } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { ignoringUnknown, openSystemCollection } from '../wire/collections.ts'
import { parseChanges } from '../wire/mutation.ts'

export const uploads = {
  async readUploadOptions(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'OPTIONS')
    return withHeaders(empty(204), headers)
  },

  async createUpload(ctx, { request }) {
    assertEmpty(request)
    const { headers } = await answerResumable(ctx, request, 'POST')
    return withHeaders(empty(201), headers)
  },

  async readUpload(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'HEAD')
    return withHeaders(empty(200), headers)
  },

  async updateUpload(ctx, { request, once = always }) {
    const { headers } = await answerResumable(ctx, request, 'PATCH')
    // The offset makes a repetition harmless until the answer is kept.
    return once(ctx, async () => withHeaders(empty(204), headers))
  },

  async deleteUpload(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'DELETE')
    return withHeaders(empty(204), headers)
  },
} satisfies Handlers<CurrentUploadsOperations>

const isContent = ({ headers }: HttpRequest): boolean => headers['content-type'] === 'application/offset+octet-stream'

/** An upload that begins with a key creates one row, once; its contents follow. */
function assertEmpty(request: HttpRequest): void {
  if (request.headers['idempotency-key'] === undefined || !isContent(request)) return
  const reason = 'Expected the contents in a PATCH of the upload where it is created with an "Idempotency-Key"'
  throw invalidQuery('Idempotency-Key', reason)
}

const path = '/files/tus'

/** Header with the id of the file that the upload becomes. */
const fileHeader = 'platform-file-id'

/** Answers a tus request; 404 if resumable uploads are disabled. */
async function answerResumable(
  ctx: Context,
  request: HttpRequest,
  method: ResumableRequest['method'],
): Promise<ResumableReply> {
  const { resumable: settings, maxSize } = ctx.files
  if (settings === null) throw new TandemError({ kind: 'route-not-found', path: request.path })
  const more: { [name: string]: string } = {}
  const store = openUploads(ctx, settings, {
    read(message, replaces) {
      const opened = ignoringUnknown(ctx, openSystemCollection(ctx, filesCollection, replaces ? 'update' : 'create'))
      const changes = parseChanges(message, opened)
      Object.assign(more, ignoredFields(opened.scope.ignored ?? new Set()))
      return changes
    },
    named(file) {
      more[fileHeader] = file
    },
  })
  const body = method === 'PATCH' || (method === 'POST' && isContent(request)) ? request.content() : null
  const wanted = { method, url: new URL(request.path, request.origin).href, headers: request.headers, body }
  const { status, headers } = await ctx.resumable.answer(wanted, {
    store,
    maxSize,
    expiration: settings.expiration,
    createId: ctx.ids.uuid,
    locationOf: (id) => `${ctx.server.publicUrl?.replace(/\/$/, '') ?? request.origin}${path}/${id}`,
  })
  return { status, headers: { ...headers, ...more } }
}
