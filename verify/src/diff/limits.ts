/** Differences between the bounds of two JSON schemas. */
import type { JsonSchema } from '../spec/document.ts'
import type { Direction, Severity } from './change.ts'

type LimitChange = { readonly what: string; readonly severity: Severity }

/** Keyword → which way it narrows. */
const bounds = [
  ['maxLength', 'upper'],
  ['maximum', 'upper'],
  ['exclusiveMaximum', 'upper'],
  ['maxItems', 'upper'],
  ['maxProperties', 'upper'],
  ['minLength', 'lower'],
  ['minimum', 'lower'],
  ['exclusiveMinimum', 'lower'],
  ['minItems', 'lower'],
  ['minProperties', 'lower'],
] as const

/** Keywords that have no order: another value takes other values. */
const others = ['pattern', 'format', 'multipleOf'] as const

/** A narrower bound refuses what clients send; a wider one lets answers have what they did not expect. */
export function limitChanges(direction: Direction, before: JsonSchema, after: JsonSchema): readonly LimitChange[] {
  return [
    ...bounds.flatMap(([name, side]) => {
      const [old, now] = [before, after].map((schema) => boundOf(schema, name))
      if (old === now) return []
      const isNarrower = now !== undefined && (old === undefined || (side === 'upper' ? now < old : now > old))
      return [
        {
          what: `has ${name} ${now ?? 'none'} in place of ${old ?? 'none'}`,
          severity: severityOf(direction, isNarrower),
        },
      ]
    }),
    ...others.flatMap((name): readonly LimitChange[] => {
      const [old, now] = [before, after].map((schema) => (isIdle(name, schema[name]) ? undefined : schema[name]))
      if (old === now) return []
      if (name === 'format' && isWiderFormat(direction, old, now)) return []
      const words = now === undefined ? `no longer has the ${name} ${text(old)}` : `has the ${name} ${text(now)}`
      if (now === undefined) return [{ what: words, severity: severityOf(direction, false) }]
      // Neither is known to contain the other.
      return [{ what: words, severity: direction === 'request' ? 'breaking' : old === undefined ? 'safe' : 'perhaps' }]
    }),
    ...(after['uniqueItems'] === true && before['uniqueItems'] !== true
      ? [{ what: 'takes each item once', severity: severityOf(direction, true) }]
      : []),
  ]
}

/** OpenAPI 3.0 has a boolean beside `maximum`, and 3.1 the bound itself; `false` is no bound. */
function boundOf(schema: JsonSchema, name: string): number | undefined {
  const bound = schema[name]
  if (bound === true) return Number(schema[name === 'exclusiveMaximum' ? 'maximum' : 'minimum'])
  return typeof bound === 'number' ? bound : undefined
}

const isIdle = (name: string, value: unknown): boolean => name === 'pattern' && /^\^?\.\*\$?$/.test(String(value))

const text = (value: unknown): string => JSON.stringify(value)

const severityOf = (direction: Direction, isNarrower: boolean): Severity =>
  direction === 'request' ? (isNarrower ? 'breaking' : 'safe') : isNarrower ? 'safe' : 'perhaps'

/** Wider formats of numbers, from the least. */
const numbers = ['int32', 'int64', 'float', 'double']

const isWiderFormat = (direction: Direction, before: unknown, after: unknown): boolean => {
  const [old, now] = [numbers.indexOf(String(before)), numbers.indexOf(String(after))]
  return old >= 0 && now >= 0 && (direction === 'request' ? now > old : now < old)
}
