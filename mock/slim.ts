/**
 * What the package holds of the specs: what requests are checked against, and the first example of each operation. Texts
 * for readers, errors, and schemas of answers stay behind.
 */
import { parse, print, visit } from 'graphql'

type Node = { readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values, in which every key is kept. */
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

const texts: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'operationId', 'x-codeSamples'])

export function slimSpec(spec: Node): Node {
  const paths = Object.entries(spec['paths'] as Node).map(([path, item]) => [path, slimItem(item as Node)])
  const whole = { ...spec, info: {}, tags: [], paths: Object.fromEntries(paths) as Node }
  const { components = {}, ...rest } = withoutTexts(whole) as Node & { readonly components?: Node }
  return { ...rest, components: reached(components, rest) }
}

function slimItem(item: Node): Node {
  const operations = Object.entries(item).map(([method, operation]) => {
    if (!isNode(operation) || !isNode(operation['responses'])) return [method, operation]
    const first = Object.entries(operation['responses']).find(([status]) => /^[23]/.test(status))
    return [method, { ...operation, responses: first === undefined ? {} : { [first[0]]: slimResponse(first[1]) } }]
  })
  return Object.fromEntries(operations) as Node
}

function slimResponse(response: unknown): unknown {
  if (!isNode(response) || !isNode(response['content'])) return response
  const [first] = Object.entries(response['content'])
  if (first === undefined) return response
  const [media, { schema: _, ...content }] = first as [string, Node]
  const named = isNode(content['examples']) ? Object.fromEntries(Object.entries(content['examples']).slice(0, 1)) : null
  return { ...response, content: { [media]: named === null ? content : { ...content, examples: named } } }
}

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts)
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !(texts.has(key) && (typeof each === 'string' || Array.isArray(each))))
      .map(([key, each]) => [key, values.has(key) ? each : withoutTexts(each)]),
  )
}

/** The components that the rest refers to, and those that they refer to. */
function reached(components: Node, rest: Node): Node {
  const result: Record<string, Record<string, unknown>> = {}
  const visitAll = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visitAll)
    if (!isNode(value)) return
    const { $ref: reference } = value
    if (typeof reference === 'string') keep(reference)
    for (const each of Object.values(value)) visitAll(each)
  }
  const keep = (reference: string): void => {
    const [, , kind = '', name = ''] = reference.split('/')
    const component = (components[kind] as Node | undefined)?.[name]
    if (component === undefined || result[kind]?.[name] !== undefined) return
    result[kind] = { ...result[kind], [name]: component }
    visitAll(component)
  }
  visitAll(rest)
  return result
}

/** The SDL without descriptions. */
export const slimSdl = (sdl: string): string =>
  print(
    visit(parse(sdl), { enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined) }),
  )
