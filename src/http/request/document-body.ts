/**
 * A document (JSON or YAML) sent as the only file of a form, for operations that also take the same JSON as the body.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { parseJson, readBytes } from './body.ts'
import { partsOf } from './multipart.ts'

type SentFile = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }

/** Reads the file within the limits of any body; returns the value that a JSON body would have. Ignores other fields. */
export const readDocumentBody = async (request: IncomingMessage, limit: number): Promise<unknown> => {
  let file: SentFile | null = null
  for await (const part of partsOf(await readBytes(request, limit), request.headers)) {
    if (part.kind !== 'file') continue
    if (file !== null) throw invalidPayload(null, 'Only one file is allowed')
    file = { name: part.filename ?? '', mediaType: part.type, bytes: await buffer(part.stream) }
  }
  if (file === null) throw invalidPayload(null, 'Expected a file but received none')
  return parseDocument(file)
}

const parseDocument = async ({ name, mediaType, bytes }: SentFile): Promise<unknown> => {
  if (!/\.(json|ya?ml)$/i.test(name) && !/[/+.-](json|yaml)$/i.test(mediaType)) {
    throw new TandemError({ kind: 'unsupported-media-type', mediaType, expected: 'a file of JSON or YAML' })
  }
  if (!isUtf8(bytes)) throw invalidPayload(null, 'Expected UTF-8 for the file but received other bytes')
  if (/\.json$/i.test(name) || /json$/i.test(mediaType)) return parseJson(bytes)
  return parseYaml(bytes.toString('utf8'))
}

/** Converts to JSON first, so that the limits on its shape apply. */
const parseYaml = async (text: string): Promise<unknown> => {
  const { fromYaml } = await import('../../exchange/documents.ts')
  let json: string | undefined
  try {
    json = JSON.stringify(fromYaml(text))
  } catch (cause) {
    throw invalidPayload(null, `Expected YAML: ${cause instanceof Error ? cause.message : 'it is not'}`, cause)
  }
  if (json === undefined || json === 'null')
    throw invalidPayload(null, 'Expected a document in the file but it is empty')
  return parseJson(Buffer.from(json))
}
