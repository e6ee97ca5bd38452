/**
 * A document (JSON or YAML) sent as the only file of a form, for operations that also take the same JSON as the body.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import busboy from 'busboy'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { parseJson, readBytes } from './body.ts'

/** Reads the file within the limits of any body; returns the value that a JSON body would have. */
export const readDocumentBody = async (request: IncomingMessage, limit: number): Promise<unknown> => {
  const bytes = await readBytes(request, limit)
  const file = await readOnlyFile(bytes, request.headers['content-type'] ?? '')
  return parseDocument(file)
}

type SentFile = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }

/** Other fields of the form are ignored; a second file is an error. */
const bounds = { files: 2, fields: 20, parts: 30, fieldNameSize: 100, fieldSize: 10_000, headerPairs: 20 } as const

const readOnlyFile = (bytes: Buffer, contentType: string): Promise<SentFile> =>
  new Promise((resolve, reject) => {
    const files: SentFile[] = []
    const broken = (cause: unknown): void =>
      reject(
        invalidPayload(
          null,
          `Expected a form with a file: ${cause instanceof Error ? cause.message : 'it is not one'}`,
          cause,
        ),
      )
    try {
      const form = busboy({ headers: { 'content-type': contentType }, limits: bounds })
      form.on('file', (_field, stream, { filename, mimeType }) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', broken)
        stream.on('close', () =>
          files.push({ name: filename ?? '', mediaType: mimeType, bytes: Buffer.concat(chunks) }),
        )
      })
      form.on('error', broken)
      form.on('close', () => {
        const [only] = files
        if (only !== undefined && files.length === 1) resolve(only)
        else
          reject(
            invalidPayload(null, files.length === 0 ? 'Expected a file but received none' : 'Only one file is allowed'),
          )
      })
      form.end(bytes)
    } catch (cause) {
      broken(cause)
    }
  })

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
