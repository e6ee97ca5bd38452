/** `/files/tus`: resumable uploads. */
import type { CurrentUploadsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, withHeaders } from '../../http/reply/reply.ts'
import { answerResumable } from './resumable-uploads.ts'

export const uploads = {
  async readUploadOptions(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'OPTIONS')
    return withHeaders(empty(204), headers)
  },

  async createUpload(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'POST')
    return withHeaders(empty(201), headers)
  },

  async readUpload(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'HEAD')
    return withHeaders(empty(200), headers)
  },

  async updateUpload(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'PATCH')
    return withHeaders(empty(204), headers)
  },

  async deleteUpload(ctx, { request }) {
    const { headers } = await answerResumable(ctx, request, 'DELETE')
    return withHeaders(empty(204), headers)
  },
} satisfies Handlers<CurrentUploadsOperations>
