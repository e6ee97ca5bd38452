/** The documented answers of operations that are not answered from rows. */
import type { Route } from '../../../src/domain/ports/operation.ts'
import type { Reply } from '../../../src/http/reply/reply.ts'
import type { SpecDocument } from '../../../src/http/validation/enforcement.ts'

type Node = { readonly [key: string]: unknown }

/** The first documented success of the operation, with its first example and the examples of its headers. */
export function exampleOf(spec: SpecDocument, { path, method }: Route): Reply {
  const at = (node: unknown, key: string): Node => resolved(spec, ((node ?? {}) as Node)[key])
  const responses = at(at(at(spec.paths, path), method.toLowerCase()), 'responses')
  const status = Object.keys(responses).find((each) => /^[23]/.test(each))
  if (status === undefined) throw new Error(`The spec has no success for ${method} ${path}`)
  const response = at(responses, status)
  const headers = Object.keys(at(response, 'headers')).flatMap((name) => {
    const { example } = at(at(response, 'headers'), name)
    return example === undefined
      ? []
      : [[name.toLowerCase(), typeof example === 'string' ? example : JSON.stringify(example)] as const]
  })
  const [media] = Object.keys(at(response, 'content'))
  const head = { status: Number(status), headers: Object.fromEntries(headers) }
  if (media === undefined) return { ...head, body: null }
  return { ...head, body: bodyOf(media, firstExample(spec, at(at(response, 'content'), media))) }
}

function bodyOf(media: string, value: unknown): NonNullable<Reply['body']> {
  if (!media.includes('json') && typeof value === 'string')
    return { kind: 'text', text: value, type: media === '*/*' ? 'application/octet-stream' : media }
  return media === 'application/json' ? { kind: 'json', value } : { kind: 'json', value, type: media }
}

function firstExample(spec: SpecDocument, content: Node): unknown {
  if ('example' in content) return content['example']
  const [first] = Object.values((content['examples'] ?? {}) as Node)
  return resolved(spec, first)['value'] ?? null
}

function resolved(spec: SpecDocument, input: unknown): Node {
  const node = (input ?? {}) as Node
  const reference = node['$ref']
  if (typeof reference !== 'string') return node
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((within, key) => (within as Node)[key], spec)
  return resolved(spec, target)
}
