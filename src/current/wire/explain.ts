/** Parses the parameters of an explanation of rights. */
import { isIP } from 'node:net'
import type { ExplainOptions } from '../../core/access/explain-rights.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Action } from '../../domain/rights/actor.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import type { CollectionView } from '../../domain/schema/view.ts'

type ExplainParameters = {
  readonly user?: string
  readonly collection: string
  readonly action?: string
  readonly item?: string
  readonly field?: string
  readonly values?: string
  readonly ip?: string
}

/** Names that do not exist stay as they are: that they do not exist is part of the explanation. */
export function parseExplain({ view }: Pick<Context, 'view'>, parameters: ExplainParameters): ExplainOptions {
  const { user = null, collection: named, action = null, item = null, field, values, ip = null } = parameters
  if (ip !== null && isIP(ip) === 0) {
    throw invalidQuery('ip', `Expected an IP address for "ip" but received ${JSON.stringify(ip)}`)
  }
  const collection = view.collections.get(named)
  return {
    user,
    ip,
    collection: collection?.collection ?? named,
    action: action === null ? null : toAction(action),
    key: item,
    field: field === undefined ? null : nameOf(collection, field),
    values: values === undefined ? null : toChanges(collection, values),
  }
}

const actions: readonly Action[] = ['create', 'read', 'update', 'delete', 'share']

function toAction(text: string): Action {
  const action = actions.find((each) => each === text)
  if (action !== undefined) return action
  throw invalidQuery('action', `Expected ${actions.join(', ')} for "action" but received ${JSON.stringify(text)}`)
}

const nameOf = (collection: CollectionView | undefined, name: string): string =>
  collection?.fields.get(name)?.field ?? name

function toChanges(collection: CollectionView | undefined, text: string): Changes {
  const values = parseObject(text)
  return new Map(
    Object.entries(values).map(([name, value]) => [
      nameOf(collection, name),
      { kind: 'value', value: value as string | null },
    ]),
  )
}

const refused = (received: string, cause?: unknown) =>
  invalidQuery('values', `Expected a JSON object of values for "values" but received ${received}`, cause)

function parseObject(text: string): object {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw refused('other text', cause)
  }
  if (typeof parsed !== 'object' || parsed === null) throw refused(JSON.stringify(parsed))
  if (Array.isArray(parsed)) throw refused('a list')
  return parsed
}
