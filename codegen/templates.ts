/** Path templates shared by many tags: `records.yaml` defines them, a tag file gives values and differences. */

type Node = { readonly [key: string]: unknown }

/** The values under `x-records` of a tag file. */
type Words = Node

/**
 * Expands `{ x-template, …own }`: fills in `{{word}}` and applies the differences. A description is appended as a
 * paragraph, null removes a part, anything else replaces.
 * @example fillTemplate({ get: { summary: 'Read {{many}}' } }, { many: 'roles' }, {})
 */
export const fillTemplate = (template: unknown, words: Words, own: Node): unknown => fill(merge(template, own), words)

/** A text that consists of one placeholder becomes its value, of any type. */
const fill = (value: unknown, words: Words): unknown => {
  if (typeof value === 'string') return fillText(value, words)
  if (Array.isArray(value)) return value.map((each) => fill(each, words))
  if (!isNode(value)) return value
  if (Array.isArray(value['x-merge'])) return Object.assign({}, ...value['x-merge'].map((each) => fill(each, words)))
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [String(fillText(key, words)), fill(each, words)]),
  )
}

const fillText = (text: string, words: Words): unknown => {
  const [, whole] = /^\{\{([^{}]+)\}\}$/.exec(text) ?? []
  if (whole !== undefined) return wordOf(whole, words)
  return text.replaceAll(/\{\{([^{}]+)\}\}/g, (_, name: string) => String(wordOf(name, words)))
}

const wordOf = (name: string, words: Words): unknown => {
  if (!Object.hasOwn(words, name)) throw new Error(`x-records has no value for "${name}"`)
  return words[name]
}

const merge = (base: unknown, own: unknown): unknown => {
  if (!isNode(base) || !isNode(own)) return own
  const names = [...new Set([...Object.keys(base), ...Object.keys(own)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      if (!(name in own)) return [[name, base[name]]]
      if (own[name] === null) return []
      const [before, after] = [base[name], own[name]]
      const isAdded = name === 'description' && typeof before === 'string' && typeof after === 'string'
      return [[name, isAdded ? `${before.trimEnd()}\n${after}` : merge(before, after)]]
    }),
  )
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
