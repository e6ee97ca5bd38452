/**
 * Specs in the form that clients read. The server takes an object in the query string as JSON text or in brackets
 * (`filter[a][_eq]=1`). The specs that requests are checked against say `deepObject`, which stands for brackets, and
 * most generated clients cannot write brackets more than one level deep. So published specs say JSON text.
 */
import type { SpecDocument } from './enforcement.ts'

type Node = { readonly [key: string]: unknown }

/** The spec with object parameters of the query string typed as JSON text. */
export const publishedSpec = <T extends SpecDocument>(spec: T): T => {
  const components = Object.entries(spec.components).map(([kind, named]) => [
    kind,
    kind === 'parameters' ? asTexts(named as Node) : (named as unknown),
  ])
  return { ...spec, components: Object.fromEntries(components) as object }
}

const asTexts = (parameters: Node): Node =>
  Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, asText(each as Node)]))

const asText = (parameter: Node): Node => {
  const { style, explode: _explode, schema, description, example, ...rest } = parameter
  if (style !== 'deepObject') return parameter
  return {
    ...rest,
    description: `${String(description).trim()}\n\nSend JSON text. Brackets (\`${String(rest.name)}[key]=value\`) are accepted too.`,
    schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schema },
    ...(example === undefined ? {} : { example: JSON.stringify(example) }),
  }
}
