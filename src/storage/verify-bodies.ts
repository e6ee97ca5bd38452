/** Checks that a bucket stores the bytes that it was sent. */
import { createHash } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'

type SentRequest = { readonly body?: unknown; headers: { [name: string]: string } }
type Stored = { readonly ETag?: string; readonly ServerSideEncryption?: string; readonly SSECustomerAlgorithm?: string }

/**
 * Sends the MD5 of every body, which the server compares, and compares the entity tag of the answer. The request fails if
 * they differ.
 */
export function verifyBodies(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const request = args.request as SentRequest
      const { body } = request
      if (!(body instanceof Uint8Array)) return next(args)
      const sum = createHash('md5').update(body).digest()
      request.headers['content-md5'] = sum.toString('base64')
      const answer = await next(args)
      const tag = tagOf(answer.output as Stored)
      if (tag !== null && tag !== sum.toString('hex')) throw new Error(`The bucket stored other bytes than it was sent`)
      return answer
    },
    { step: 'build', name: 'verifyBodies' },
  )
}

/** The MD5 that the bucket names; null if its tags are something else, as they are of encrypted objects. */
function tagOf({ ETag, ServerSideEncryption: encryption = 'AES256', SSECustomerAlgorithm }: Stored): string | null {
  const tag = ETag?.replaceAll('"', '').toLowerCase() ?? ''
  return encryption === 'AES256' && SSECustomerAlgorithm === undefined && /^[0-9a-f]{32}$/.test(tag) ? tag : null
}
