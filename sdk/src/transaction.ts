/** Several writes in one transaction: `client.transaction((tx) => …)`, with references to earlier answers as values. */
import type { Client, RequestOptions } from './client.ts'
import { plainQuery } from './serialize-query.ts'
import type { CheckedFields, Created, FieldOf, Selected, Written } from './types/fields.ts'
import type { Selecting } from './types/query.ts'
import type { CollectionName, ItemOf, SingletonName } from './types/schema.ts'

type Key = string | number

type Everything = readonly ['*']
type Wanted<Schema, Item> = readonly FieldOf<Schema, Item>[]

/** The item as it will be: a value of it can be a value of a later write, and nothing else before the end. */
export type Later<Schema, Item, Fields extends readonly unknown[] = Everything> = Selected<Schema, Item, Fields[number]>

export type StepOptions = {
  /** The write is refused, and the transaction with it, unless the item has one of these tags. */
  readonly ifMatch?: string
}

/** The fields of the answer, all of the item if absent. */
type AnswerFields<Schema, Item, Fields> = { readonly fields?: Fields & CheckedFields<Schema, Item, Fields> }

type Target<Schema, Item> = { readonly keys: readonly Key[] } | { readonly query: Selecting<Schema, Item> }

/** Writes of a collection. */
export type StepItems<Schema, Item> = {
  readonly create: <const Fields extends Wanted<Schema, Item> = Everything>(
    item: Created<Schema, Item>,
    options?: AnswerFields<Schema, Item, Fields>,
  ) => Later<Schema, Item, Fields>
  readonly createMany: <const Fields extends Wanted<Schema, Item> = Everything>(
    items: readonly Created<Schema, Item>[],
    options?: AnswerFields<Schema, Item, Fields>,
  ) => Later<Schema, Item, Fields>[]
  /** Updates the item that has the same values in the fields of a unique index, or creates it. */
  readonly upsert: <const Fields extends Wanted<Schema, Item> = Everything>(
    item: Created<Schema, Item>,
    on: readonly (keyof Item & string)[],
    options?: AnswerFields<Schema, Item, Fields>,
  ) => Later<Schema, Item, Fields>
  readonly update: <const Fields extends Wanted<Schema, Item> = Everything>(
    key: Key,
    changes: Written<Schema, Item>,
    options?: StepOptions & AnswerFields<Schema, Item, Fields>,
  ) => Later<Schema, Item, Fields>
  readonly updateMany: <const Fields extends Wanted<Schema, Item> = Everything>(
    target: Target<Schema, Item>,
    changes: Written<Schema, Item>,
    options?: AnswerFields<Schema, Item, Fields>,
  ) => Later<Schema, Item, Fields>[]
  readonly updateEach: <const Fields extends Wanted<Schema, Item> = Everything>(
    items: readonly Written<Schema, Item>[],
    options?: AnswerFields<Schema, Item, Fields>,
  ) => Later<Schema, Item, Fields>[]
  readonly delete: (key: Key, options?: StepOptions) => void
  readonly deleteMany: (target: Target<Schema, Item>) => void
}

/** Writes of a singleton. */
type StepSingleton<Schema, Item> = {
  readonly update: <const Fields extends Wanted<Schema, Item> = Everything>(
    changes: Written<Schema, Item>,
    options?: AnswerFields<Schema, Item, Fields>,
  ) => Later<Schema, Item, Fields>
}

/** An operation of the specification by its name, such as `createFolders`. */
export type Step = {
  readonly parameters?: { readonly [name: string]: unknown }
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
  readonly if_match?: string
}

/** Collects the writes of a transaction. */
export type Steps<Schema> = {
  readonly items: <Name extends CollectionName<Schema>>(collection: Name) => StepItems<Schema, ItemOf<Schema, Name>>
  readonly singleton: <Name extends SingletonName<Schema>>(
    collection: Name,
  ) => StepSingleton<Schema, ItemOf<Schema, Name>>
  /** Any other write that a transaction can undo. The caller knows the fields of its answer. */
  readonly run: (operation: string, step?: Step) => { readonly [field: string]: never }
}

export type TransactionOptions = RequestOptions & {
  /** Does everything and undoes it: the result is what would be. */
  readonly dryRun?: boolean
}

/**
 * Runs the writes that `collect` names, all of them or none. Resolves to what it returns, with values in place of the
 * references; undefined where the caller may not read the answer. A failure is that of the first write that fails.
 */
export type Transaction<Schema> = <Result>(
  collect: (tx: Steps<Schema>) => Result,
  options?: TransactionOptions,
) => Promise<Result>

type ResultPath = { readonly step: number; readonly path: readonly string[] }
type Answers = { readonly data: readonly { readonly body: { readonly data?: unknown } | null }[] }

const operation = { method: 'POST', path: '/batch', keyed: true } as const

export const createTransaction =
  <Schema>(client: Client): Transaction<Schema> =>
  async (collect, { dryRun, ...options } = {}) => {
    const operations: object[] = []
    const places = new WeakMap<object, ResultPath>()
    const refer = (step: number, path: readonly string[]): never => {
      const text = [step, 'data', ...path.map((name) => name.replace(/[\\.]/g, '\\$&'))].join('.')
      const reference = new Proxy(
        {},
        {
          get: (_target, name) => {
            if (name === 'toJSON') return () => ({ $ref: text })
            return typeof name === 'string' && name !== 'then' ? refer(step, [...path, name]) : undefined
          },
        },
      )
      places.set(reference, { step, path })
      return reference as never
    }
    const run = (named: string, step: Step = {}): never => refer(operations.push({ operation: named, ...step }) - 1, [])
    const result = collect(stepsOf(run))
    if (operations.length === 0) return result
    const body = { operations, ...(dryRun && { dry_run: true }) }
    const { data } = await client.request<Answers>(operation, { body }, options)
    const valueAt = ({ step, path }: ResultPath): unknown =>
      path.reduce<unknown>(
        (value, name) => (value as { [name: string]: unknown } | undefined)?.[name],
        data[step]?.body?.data,
      )
    return settled(result, places, valueAt) as typeof result
  }

type Sent = StepOptions & { readonly fields?: readonly unknown[]; readonly on?: readonly string[] }

function stepsOf<Schema>(run: (operation: string, step?: Step) => never): Steps<Schema> {
  // JSON leaves out what is undefined.
  const write =
    (collection: string) =>
    (named: string, body: unknown, sent: Sent = {}, id?: Key) =>
      run(named, {
        parameters: { collection, id },
        query: (sent.fields || sent.on) && plainQuery({ fields: sent.fields, on_conflict: sent.on }),
        body,
        if_match: sent.ifMatch,
      } as Step)
  return {
    run,
    singleton: (collection) => ({ update: (body, options) => write(collection)('updateItems', body, options) }),
    items: (collection) => {
      const of = write(collection)
      return {
        create: (item, options) => of('createItems', item, options),
        createMany: (items, options) => of('createItems', items, options),
        upsert: (item, on, options) => of('createItems', item, { ...options, on }),
        update: (key, changes, options) => of('updateItem', changes, options, key),
        updateMany: (target, changes, options) => of('updateItems', { ...target, data: changes }, options),
        updateEach: (items, options) => of('updateItems', items, options),
        delete: (key, options) => of('deleteItem', undefined, options, key),
        deleteMany: (target) => of('deleteItems', target),
      }
    },
  }
}

/** The value with what its references stand for. */
function settled(value: unknown, places: WeakMap<object, ResultPath>, valueAt: (path: ResultPath) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const place = places.get(value)
  if (place !== undefined) return valueAt(place)
  if (Array.isArray(value)) return value.map((each) => settled(each, places, valueAt))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, settled(each, places, valueAt)]))
}
