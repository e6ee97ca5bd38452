/** Form bodies of the legacy generation: what takes JSON takes the same value as a form. */
import type { Generation, Media, OpenApiDocument } from './model.ts'

const json = 'application/json'

const formMedia = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const

type Content = { readonly [media: string]: Media }

/** The content of a request body with forms beside JSON. A form that is described already stays. SCIM has no forms. */
export const withForms = (generation: Generation, content: Content): Content => {
  const { [json]: body } = content
  if (generation !== 'legacy' || body === undefined || 'application/scim+json' in content) return content
  const { schema } = body
  const added = formMedia.map((media) => [media, content[media] ?? (schema === undefined ? {} : { schema })] as const)
  return { ...content, ...Object.fromEntries(added) }
}

type Node = { readonly [key: string]: unknown }

export const documentWithForms = (generation: Generation, document: OpenApiDocument): OpenApiDocument => {
  if (generation !== 'legacy') return document
  const grown = (body: unknown): unknown => {
    const { content } = body as { readonly content?: Content }
    return content === undefined ? body : { ...(body as Node), content: withForms(generation, content) }
  }
  const withBody = (operation: unknown): unknown =>
    typeof operation === 'object' && operation !== null && 'requestBody' in operation
      ? { ...operation, requestBody: grown(operation.requestBody) }
      : operation
  const { requestBodies = {} } = document.components
  return {
    ...document,
    paths: mapped(document.paths, (item) => mapped(item, withBody)) as OpenApiDocument['paths'],
    components: { ...document.components, requestBodies: mapped(requestBodies, grown) },
  }
}

const mapped = <T>(named: { readonly [name: string]: T }, change: (each: T) => unknown): Node =>
  Object.fromEntries(Object.entries(named).map(([name, each]) => [name, change(each)]))
