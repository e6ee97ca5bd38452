/** Differences between two JSON schemas, seen by a client that sends (`request`) or receives (`response`) the value. */
import { follow, type JsonSchema, type Node } from '../spec/document.ts'
import { breaksIf, type Direction, type Severity } from './change.ts'
import { limitChanges } from './limits.ts'

/** A part of a value: `.data[].title`; and the component that it belongs to. */
export type SchemaChange = {
  readonly path: string
  readonly type: string | null
  readonly what: string
  readonly severity: Severity
  /** Whoever does not send the property is concerned. */
  readonly isWhole?: true
}

type Roots = { readonly before: Node; readonly after: Node; readonly direction: Direction }

export type Pair = { readonly before: JsonSchema | null; readonly after: JsonSchema | null }

/** All differences of a value. `type` is the SDK's name of the type around it. */
export function compareSchemas(roots: Roots, pair: Pair, type: string): readonly SchemaChange[] {
  return compareAt(roots, pair, { path: '', type, seen: new Set() })
}

type SchemaPosition = { readonly path: string; readonly type: string; readonly seen: ReadonlySet<string> }

function compareAt(roots: Roots, pair: Pair, position: SchemaPosition): readonly SchemaChange[] {
  if (pair.before === null || pair.after === null) return []
  const name = nameOf(pair.before)
  const key = name === null ? null : `${name} ${nameOf(pair.after) ?? ''}`
  if (key !== null && position.seen.has(key)) return []
  const inner: SchemaPosition = {
    ...position,
    type: name === null || name !== nameOf(pair.after) ? position.type : `components['schemas']['${name}']`,
    seen: key === null ? position.seen : new Set([...position.seen, key]),
  }
  const [before, after] = [merged(roots.before, pair.before), merged(roots.after, pair.after)]
  const compared = { roots, before, after, position: inner }
  const items = { before: schemaOf(before['items']), after: schemaOf(after['items']) }
  return [
    ...compareTypes(compared),
    ...compareEnums(compared),
    ...compareVariants(compared),
    ...limitChanges(roots.direction, before, after).map(({ what, severity }) => at(inner, what, severity)),
    ...compareMarks(compared),
    ...compareProperties(compared),
    ...compareAt(roots, items, { ...inner, path: `${inner.path}[]`, type: `${inner.type}[number]` }),
    ...comparePlaces(compared),
  ]
}

/** Two schemas without references. */
type Compared = {
  readonly roots: Roots
  readonly before: JsonSchema
  readonly after: JsonSchema
  readonly position: SchemaPosition
}

/** Items that have a schema by their place; further ones are unknown to clients as new properties are. */
function comparePlaces({ roots, before, after, position }: Compared): readonly SchemaChange[] {
  const [old, now] = [before, after].map((schema) => (schema['prefixItems'] ?? []) as readonly JsonSchema[])
  return (old ?? []).flatMap((was, index) => {
    const inner = { ...position, path: `${position.path}[${index}]`, type: `${position.type}[${index}]` }
    return compareAt(roots, { before: was, after: now?.[index] ?? null }, inner)
  })
}

const textOf = (schema: JsonSchema, name: string): string => JSON.stringify(schema[name] ?? null)

/** What a server puts in the place of a value that is not sent, and which property tells variants apart. */
function compareMarks({ roots: { direction }, before, after, position }: Compared): readonly SchemaChange[] {
  const isOther = (name: string): boolean => textOf(before, name) !== textOf(after, name)
  return [
    ...(isOther('default')
      ? [at(position, `is ${textOf(after, 'default')} by default`, direction === 'request' ? 'perhaps' : 'safe')]
      : []),
    ...(isOther('discriminator') ? [at(position, 'has another discriminator', 'perhaps')] : []),
  ]
}

const schemaOf = (value: unknown): JsonSchema | null =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : null

const nameOf = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' && $ref.startsWith('#/components/schemas/')
    ? $ref.slice('#/components/schemas/'.length)
    : null

/** The schema without a reference, with the parts of `allOf`. */
function merged(root: Node, schema: JsonSchema): JsonSchema {
  const target = follow(root, schema)
  if (!Array.isArray(target['allOf'])) return target
  const parts = (target['allOf'] as readonly JsonSchema[]).map((part) => merged(root, part))
  const { allOf: _, ...rest } = target
  const all: readonly JsonSchema[] = [...parts, rest]
  const properties = Object.assign({}, ...all.map((part) => part['properties'] ?? {})) as object
  const required = all.flatMap((part) => (part['required'] ?? []) as readonly string[])
  return Object.assign({}, ...all, { properties, required }) as JsonSchema
}

/** Names of types, `null` included; null if the schema says none. */
function typesOf(schema: JsonSchema): ReadonlySet<string> | null {
  const { type, nullable } = schema
  if (type === undefined) return null
  const types = new Set([type].flat().map(String))
  if (nullable === true) types.add('null')
  // Every integer is a number.
  if (types.has('number')) types.add('integer')
  return types
}

function compareTypes({ roots: { direction }, before, after, position }: Compared): readonly SchemaChange[] {
  const [old, now] = [typesOf(before), typesOf(after)]
  if (old === null && now === null) return []
  const lost = now === null ? [] : old === null ? ['any'] : [...old].filter((each) => !now.has(each))
  const won = old === null ? [] : now === null ? ['any'] : [...now].filter((each) => !old.has(each))
  return [
    ...lost.map((each) => at(position, `is no longer ${each}`, breaksIf(direction === 'request'))),
    ...won.map((each) =>
      at(position, each === 'null' ? 'may be null' : `may be ${each}`, breaksIf(direction === 'response')),
    ),
  ]
}

/** A client that reads may not know a new value, and one that sends may still send an old one. */
function compareEnums({ roots: { direction }, before, after, position }: Compared): readonly SchemaChange[] {
  const [old, now] = [before, after].map(valuesOf)
  const isRequest = direction === 'request'
  if (old === undefined && now !== undefined)
    return [at(position, `takes only ${now.map(String).join(', ')}`, breaksIf(isRequest))]
  if (old !== undefined && now === undefined) return [at(position, 'takes any value', isRequest ? 'safe' : 'perhaps')]
  const lost = (old ?? []).filter((each) => now?.includes(each) !== true)
  const won = (now ?? []).filter((each) => old?.includes(each) !== true)
  return [
    ...lost.map((each) => at(position, `no longer has the value ${String(each)}`, isRequest ? 'breaking' : 'safe')),
    ...won.map((each) => at(position, `has the new value ${String(each)}`, isRequest ? 'safe' : 'perhaps')),
  ]
}

/** `const` is a list of one value. */
const valuesOf = (schema: JsonSchema): readonly unknown[] | undefined =>
  'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined)

/** Variants of a schema by name, or by their place where they have none. */
function variants(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const list = [schema['oneOf'], schema['anyOf']].find(Array.isArray) as readonly JsonSchema[] | undefined
  return new Map((list ?? []).map((each, index) => [nameOf(each) ?? `variant ${index + 1}`, each]))
}

const typeOf = (root: Node, schema: JsonSchema): string => [...(typesOf(merged(root, schema)) ?? [])].toSorted().join()

/** The new variants; one that has only another name than an old one of its type is listed under the old name. */
function renamedAs(
  roots: Roots,
  old: ReadonlyMap<string, JsonSchema>,
  now: ReadonlyMap<string, JsonSchema>,
): ReadonlyMap<string, JsonSchema> {
  const lost = [...old].filter(([name]) => !now.has(name)).map(([name, each]) => [name, typeOf(roots.before, each)])
  const won = [...now].filter(([name]) => !old.has(name)).map(([, each]) => typeOf(roots.after, each))
  return new Map(
    [...now].map(([name, schema]) => {
      const type = typeOf(roots.after, schema)
      const [same, ...more] = lost.filter(([, each]) => each === type)
      const isOnly = more.length === 0 && won.filter((each) => each === type).length === 1
      return [same?.[0] !== undefined && isOnly && type !== '' && !old.has(name) ? same[0] : name, schema]
    }),
  )
}

function compareVariants({ roots, before, after, position }: Compared): readonly SchemaChange[] {
  const [old, now] = [variants(before), renamedAs(roots, variants(before), variants(after))]
  if (old.size === 0 && now.size === 0) return []
  return [
    ...[...old].flatMap(([name, variant]) => {
      const other = now.get(name)
      return other === undefined
        ? [at(position, `is no longer ${name}`, breaksIf(roots.direction === 'request'))]
        : compareAt(roots, { before: variant, after: other }, position)
    }),
    ...[...now.keys()]
      .filter((name) => !old.has(name))
      .map((name) => at(position, `may be ${name}`, breaksIf(roots.direction === 'response' && old.size > 0))),
  ]
}

function compareProperties({ roots, before, after, position }: Compared): readonly SchemaChange[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)]
  const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const isClosed = after['additionalProperties'] === false
  return [
    ...compareAdditional({ roots, before, after, position }),
    ...names.flatMap((name) => {
      const inner = { ...position, path: `${position.path}.${name}`, type: `${position.type}['${name}']` }
      const presence = { had: wasRequired.has(name), has: isRequired.has(name), isClosed }
      return compareProperty(roots, { was: old[name], is: now[name], ...presence }, inner)
    }),
  ]
}

const propertiesOf = ({ properties = {} }: JsonSchema) => properties as { readonly [name: string]: JsonSchema }
const requiredOf = ({ required = [] }: JsonSchema) => new Set(required as readonly string[])

/** `had`, `has`: whether it was and is required. `isClosed`: its object has no properties but the named ones. */
type Property = {
  readonly was: JsonSchema | undefined
  readonly is: JsonSchema | undefined
  readonly had: boolean
  readonly has: boolean
  readonly isClosed: boolean
}

function compareProperty(
  roots: Roots,
  { was, is, had, has, isClosed }: Property,
  position: SchemaPosition,
): readonly SchemaChange[] {
  const isResponse = roots.direction === 'response'
  const [wasHidden, isHidden] = [isSecret(roots.before, was), isSecret(roots.after, is)]
  // Never answered.
  if (isResponse && (wasHidden || was === undefined) && (isHidden || is === undefined)) return []
  if (is === undefined) return [at(position, 'is removed', isResponse || isClosed ? 'breaking' : 'perhaps')]
  if (isResponse && isHidden) return [at(position, 'is no longer answered', 'breaking')]
  // Values of read-only properties are never sent.
  const isSent = !isResponse && follow(roots.after, is)['readOnly'] !== true
  if (was === undefined && has && isSent) return [demanded(at(position, 'is a new required property', 'breaking'))]
  if (was === undefined) return [at(position, 'is new', 'safe')]
  const inner = compareAt(roots, { before: was, after: is }, position)
  if (had === has) return inner
  const required = has
    ? demanded(at(position, 'is required', breaksIf(isSent)))
    : at(position, 'may be missing', breaksIf(isResponse))
  return [required, ...inner]
}

const isSecret = (root: Node, schema: JsonSchema | undefined): boolean =>
  schema !== undefined && follow(root, schema)['writeOnly'] === true

const demanded = (change: SchemaChange): SchemaChange => ({ ...change, isWhole: true })

/** Properties that no name lists. */
function compareAdditional({ roots, before, after, position }: Compared): readonly SchemaChange[] {
  const [old, now] = [before['additionalProperties'], after['additionalProperties']]
  const inner = { ...position, path: `${position.path}.*`, type: `${position.type}[string]` }
  if (typeof old === 'object' && typeof now === 'object')
    return compareAt(roots, { before: schemaOf(old), after: schemaOf(now) }, inner)
  if (now === false && old !== false && roots.direction === 'request')
    return [at(position, 'takes no other properties', 'breaking')]
  return []
}

const at = ({ path, type }: SchemaPosition, what: string, severity: Severity): SchemaChange => ({
  path,
  type,
  what,
  severity,
})
