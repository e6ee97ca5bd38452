/**
 * `x-codeSamples` of the published specs: the simplest request of each operation with curl and with the SDK, from its
 * examples.
 */
import type { OpenApiDocument, Operation, SpecModel } from './model.ts'
import { bodyOf, exampleOf, required } from './sample-parts.ts'
import { sdkSample } from './samples-sdk.ts'

type Sample = { readonly lang: string; readonly label: string; readonly source: string }

export const withSamples = (spec: SpecModel): OpenApiDocument => {
  const { document, operations } = spec
  const paths = structuredClone(document.paths) as { [path: string]: { [method: string]: object } }
  const samplesOf = samplesIn(spec)
  for (const operation of operations) {
    const item = paths[operation.path] ?? {}
    item[operation.method] = { ...item[operation.method], 'x-codeSamples': samplesOf(operation) }
  }
  return { ...document, paths }
}

const samplesIn = (spec: SpecModel): ((operation: Operation) => readonly Sample[]) => {
  const sdk = sdkSample(spec)
  return (operation) => [
    { lang: 'Shell', label: 'curl', source: curlText(operation) },
    { lang: 'TypeScript', label: 'SDK', source: sdk(operation) },
  ]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function curlText(operation: Operation): string {
  const path = required(operation, 'path').reduce(
    (text, each) => text.replace(`{${each.name}}`, () => encodeURIComponent(asText(exampleOf(each)))),
    operation.path,
  )
  const query = required(operation, 'query').map(
    (each) => `${each.name}=${encodeURIComponent(asText(exampleOf(each)))}`,
  )
  const address = `https://tandem.example.com${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const headers = required(operation, 'header').map((each) => `${each.name}: ${asText(exampleOf(each))}`)
  const body = bodyOf(operation)
  const lines = [
    `curl ${operation.method === 'get' ? '' : `-X ${operation.method.toUpperCase()} `}${quoted(address)}`,
    ...(operation.secured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map((each) => `-H ${quoted(each)}`),
    ...(body === null ? [] : bodyLines(body.media, body.value)),
  ]
  return lines.join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function bodyLines(media: string, value: unknown): readonly string[] {
  if (media === 'multipart/form-data') {
    return Object.entries(value ?? {}).map(([name, each]) =>
      name === 'file' ? '-F file=@file' : `-F ${quoted(`${name}=${asText(each)}`)}`,
    )
  }
  return media.includes('json')
    ? [`-H ${quoted(`Content-Type: ${media}`)}`, `-d ${quoted(JSON.stringify(value))}`]
    : [`-H ${quoted(`Content-Type: ${media}`)}`, '--data-binary @file']
}
