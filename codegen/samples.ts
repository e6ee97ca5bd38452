/**
 * `x-codeSamples` of the published specs: the simplest request of each operation with curl and with the SDK, from its
 * examples.
 */
import type { Generation, Media, OpenApiDocument, Operation, Parameter, SpecModel } from './model.ts'

type Sample = { readonly lang: string; readonly label: string; readonly source: string }

/** Adds samples to every operation. */
export const withSamples = ({ generation, document, operations }: SpecModel): OpenApiDocument => {
  const paths = structuredClone(document.paths) as { [path: string]: { [method: string]: object } }
  for (const operation of operations) {
    const item = paths[operation.path] ?? {}
    item[operation.method] = { ...item[operation.method], 'x-codeSamples': samplesOf(operation, generation) }
  }
  return { ...document, paths }
}

const samplesOf = (operation: Operation, generation: Generation): readonly Sample[] => [
  { lang: 'Shell', label: 'curl', source: curlText(operation) },
  { lang: 'TypeScript', label: 'SDK', source: sdkText(operation, generation) },
]

const exampleOf = (media: Media | Parameter | undefined): unknown =>
  media?.example ?? Object.values(media?.examples ?? {})[0]?.value

const required = ({ parameters }: Operation, place: Parameter['in']): readonly Parameter[] =>
  parameters.filter((each) => each.in === place && each.required === true)

/** The first media type of the body with its first example. */
const bodyOf = ({ requestBody }: Operation): { readonly media: string; readonly value: unknown } | null => {
  const [first] = Object.entries(requestBody?.content ?? {})
  return first === undefined ? null : { media: first[0], value: exampleOf(first[1]) }
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

/** Path parameters that the client fills in. */
const filled: { readonly [Name in Generation]: ReadonlySet<string> } = {
  current: new Set(),
  legacy: new Set(['project']),
}

function sdkText(operation: Operation, generation: Generation): string {
  const group = (place: Parameter['in']) =>
    Object.fromEntries(
      required(operation, place)
        .filter(({ name }) => !filled[generation].has(name))
        .map((each) => [each.name, exampleOf(each)]),
    )
  const body = bodyOf(operation)
  const given: { readonly [name: string]: unknown } = { path: group('path'), query: group('query'), body: body?.value }
  const input = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && Object.keys(value as object).length > 0),
  )
  const create = generation === 'current' ? 'createCurrentClient' : 'createLegacyClient'
  return [
    `import { ${create}, operations } from '@tandem/sdk/${generation}'`,
    '',
    `const client = ${create}({ url: 'https://tandem.example.com', token })`,
    `const answer = await operations.${operation.id}(client, ${JSON.stringify(input, null, 2)})`,
  ].join('\n')
}
