/** Finds operations by words of people. */
import { memoizeBy } from '../domain/memoize.ts'
import { slipsBetween } from '../domain/slips.ts'
import { type Operation, type OperationIndex, resolve } from './operations.ts'
import { asksForHistory, requestedVerbs, searchStems, stem, stemsOf, synonyms } from './words.ts'

type Json = { readonly [key: string]: unknown }

/** Stems of one text. Operations with the same text share them. */
type Stems = ReadonlySet<string>

/** What is known of an operation, each with how much a match in it counts. */
type IndexedOperation = {
  readonly operation: Operation
  /** The stem of what it does, such as that of `create`. */
  readonly verb: string
  readonly bags: readonly (readonly [weight: number, bag: Stems])[]
}

/** `uses`: in how many texts of operations a stem is. */
type SearchIndex = { readonly operations: readonly IndexedOperation[]; readonly uses: ReadonlyMap<string, number> }

/** How much a match counts by where it is. `name` is the operationId, the path and the tags. */
const weights = { name: 4, summary: 3, fields: 2, parameters: 1, description: 0.3 } as const

/** In "comment on the article" the name of the collection is the object: names of the system count more. */
const systemName = 6

/** How much a match counts by how it was found. */
const certainty = { same: 1, synonym: 0.9, longer: 0.4, misspelt: 0.6, vague: 0.4 } as const

/** How much an operation counts that does something else than what is asked for. */
const otherVerb = 0.6

/** Words about the caller say little beside others: "delete my comment". */
const vague: ReadonlySet<string> = new Set(stemsOf('i me my myself mine own'))

const worthOf = (word: string): number => (vague.has(word) ? certainty.vague : 1)

/** Operations on one resource that come before the best ones on others: on one collection, and on one of the system. */
const most = { items: 3, system: 5 } as const

/**
 * The operations that match the words, best first: rare words count more, and so do words of names. A word matches its
 * plural and what means the same; where nothing does, longer words that begin with it, and words with a slip or two.
 */
export function searchOperations(index: OperationIndex, text: string, limit: number): readonly Operation[] {
  const stems = searchStems(text)
  if (stems.length === 0) return [...index.operations.values()].slice(0, limit)
  const { operations, uses } = searchIndexOf(index)
  const wanted = (asksForHistory(stems) ? [...stems, 'history'] : stems).map((word) =>
    [...candidatesOf(word, uses)].map(
      ([stem, sure]): WeightedStem => [stem, worthOf(word) * sure * rarityOf(stem, operations.length, uses)],
    ),
  )
  const verbs = requestedVerbs(stems)
  const ranked = operations
    .map(({ operation, verb, bags }) => ({ operation, score: factorOf(verb, verbs) * scoreOf(bags, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.operation.path.length - b.operation.path.length)
    .map(({ operation }) => operation)
  return mixed(ranked).slice(0, limit)
}

/** `/items/articles/{id}` is of `/items/articles`, `/users/me` of `/users`. */
const resourceOf = ({ path }: Operation): string => /^\/(?:items\/)?[^/]+/.exec(path)?.[0] ?? path

const isOfItems = ({ path }: Operation): boolean => path.startsWith('/items/')

/** The best of each resource, in their order, then the others. */
function mixed(operations: readonly Operation[]): readonly Operation[] {
  const counts = new Map<string, number>()
  const later = new Set<Operation>()
  for (const operation of operations) {
    const resource = resourceOf(operation)
    const count = (counts.get(resource) ?? 0) + 1
    counts.set(resource, count)
    if (count > (isOfItems(operation) ? most.items : most.system)) later.add(operation)
  }
  return [...operations.filter((operation) => !later.has(operation)), ...later]
}

type WeightedStem = readonly [stem: string, worth: number]

/** How much a meaning of a word counts beside the best one of the same word. */
const besides = 0.5

const simpleVerbs: ReadonlySet<string> = new Set(['create', 'read', 'update', 'delete'].map(stem))

/** Operations such as `revertItem` may be what any verb means. */
const factorOf = (verb: string, stems: ReadonlySet<string> | null): number =>
  stems === null || !simpleVerbs.has(verb) || stems.has(verb) ? 1 : otherVerb

/** Each word counts by its best meaning, and by half of its others: `publish` may be a value and an update. */
function scoreOf(bags: IndexedOperation['bags'], wanted: readonly (readonly WeightedStem[])[]): number {
  let sum = 0
  for (const meanings of wanted) {
    const counts = meanings.map(([stem, worth]) => worth * weightIn(bags, stem))
    const best = Math.max(0, ...counts)
    sum += best + besides * (counts.reduce((all, count) => all + count, 0) - best)
  }
  return sum
}

/** The greatest weight of a text that contains the stem; 0 without one. */
const weightIn = (bags: IndexedOperation['bags'], stem: string): number =>
  bags.reduce((most, [weight, bag]) => (weight > most && bag.has(stem) ? weight : most), 0)

const rarityOf = (stem: string, operations: number, uses: SearchIndex['uses']): number =>
  Math.log(1 + operations / (uses.get(stem) ?? 1))

/** Stems of operations that a word may stand for, with how sure that is. */
function candidatesOf(word: string, uses: SearchIndex['uses']): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const synonym of synonyms.get(word) ?? []) if (uses.has(synonym)) weights.set(synonym, certainty.synonym)
  if (uses.has(word)) weights.set(word, certainty.same)
  if (weights.size > 0 || word.length < 4) return weights
  for (const used of uses.keys()) {
    if (used.startsWith(word)) weights.set(used, certainty.longer)
    else if (isMisspelt(word, used)) weights.set(used, certainty.misspelt)
  }
  for (const [synonym, stem] of synonyms)
    if (isMisspelt(word, synonym)) for (const used of stem) if (uses.has(used)) weights.set(used, certainty.misspelt)
  return weights
}

/** One slip in stems of five to seven letters, two in longer ones; the first letter is right. */
function isMisspelt(word: string, used: string): boolean {
  const allowed = word.length > 7 ? 2 : word.length > 4 ? 1 : 0
  if (word[0] !== used[0] || Math.abs(word.length - used.length) > allowed) return false
  return slipsBetween(word, used) <= allowed
}

const searchIndexOf = memoizeBy((index: OperationIndex): SearchIndex => {
  const uses = new Map<string, number>()
  const bags = new Map<string, Stems>()
  const bagOf = (text: string): Stems => {
    const bag = bags.get(text) ?? new Set(stemsOf(text))
    bags.set(text, bag)
    for (const stem of bag) uses.set(stem, (uses.get(stem) ?? 0) + 1)
    return bag
  }
  const fields = new Map<string, string>()
  for (const operation of index.operations.values()) {
    const resource = resourceOf(operation)
    fields.set(resource, `${fields.get(resource) ?? ''} ${fieldNames(index.document, operation)}`)
  }
  const operations = [...index.operations.values()].map((operation): IndexedOperation => {
    const { id, path, tags, summary, parameters, definition } = operation
    const texts = {
      name: `${id} ${path.replaceAll(/\{[^}]*\}/g, '')} ${tags.join(' ')}`,
      summary,
      fields: fields.get(resourceOf(operation)) ?? '',
      parameters: parameters.map(({ name }) => name).join(' '),
      description: typeof definition['description'] === 'string' ? definition['description'] : '',
    }
    const own = { ...weights, ...(isOfItems(operation) ? {} : { name: systemName }) }
    const placed = Object.entries(own) as readonly (readonly [keyof typeof weights, number])[]
    const [verb = ''] = stemsOf(id)
    return { operation, verb, bags: placed.map(([name, weight]) => [weight, bagOf(texts[name])] as const) }
  })
  return { operations, uses }
})

/** Names of the fields, and the values that they are limited to, of what is written, else of what is answered. */
function fieldNames(document: Json, { definition }: Operation): string {
  const { requestBody, responses } = definition as { readonly requestBody?: Json; readonly responses: Json }
  const holder = requestBody ?? responses['200']
  if (holder === undefined) return ''
  const { content } = resolve(document, holder as Json)
  const json = (content as { readonly 'application/json'?: Json } | undefined)?.['application/json']
  const names = new Set<string>()
  addFields(document, (json?.['schema'] ?? {}) as Json, { names, depth: 0 })
  return [...names].join(' ')
}

/** Alternatives, lists and the `data` around them are looked through; related items are not. */
function addFields(document: Json, reference: Json, { names, depth }: { names: Set<string>; depth: number }): void {
  if (depth > 6) return
  const schema = resolve(document, reference)
  const next = { names, depth: depth + 1 }
  for (const part of ['oneOf', 'anyOf', 'allOf'] as const)
    for (const each of (schema[part] ?? []) as readonly Json[]) addFields(document, each, next)
  if (schema['items'] !== undefined) addFields(document, schema['items'] as Json, next)
  const { data, ...own } = (schema['properties'] ?? {}) as { readonly [name: string]: Json }
  if (data !== undefined) addFields(document, data, next)
  for (const [name, each] of Object.entries(own)) {
    names.add(name)
    const { enum: values } = resolve(document, each)
    if (Array.isArray(values)) for (const value of values) if (typeof value === 'string') names.add(value)
  }
}
