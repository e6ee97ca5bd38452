/** Why a request is refused whatever the rules of its caller say. */
import { appRules } from '../../authz/app-rules.ts'
import { isUnlimited, rulesFor } from '../../authz/grants.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { Cause } from './cause.ts'
import type { RequestedAction, SubjectContext } from './explained-rules.ts'
import type { Subject } from './explained-subject.ts'

/** Collections that only administrators write: the data model, and the levels of roles. */
const administered: ReadonlySet<string> = new Set([
  'platform_collections',
  'platform_fields',
  'platform_relations',
  'platform_role_levels',
])

const history = 'platform_revisions'
const shares = 'platform_shares'

/** The limit that the request breaks; null if rules decide about it. */
export function limitCause(
  { actor }: Pick<SubjectContext, 'actor'>,
  { collection, action }: RequestedAction,
): Cause | null {
  if (action === 'share') return shareCause({ actor }, collection)
  if (action === 'read') return null
  const { name } = collection
  if (name === history)
    return { code: 'refused', message: `No request writes ${name}: the server does, with each change` }
  if (isUnlimited(actor) || !administered.has(name)) return null
  const message = `Only administrators ${action} items of ${name}, whatever rules say: a policy with admin_access is needed`
  return { code: 'administrator-demanded', message, collection: name, action }
}

const refused = (message: string): Cause => ({ code: 'refused', message })

function shareCause(
  { actor }: Pick<SubjectContext, 'actor'>,
  { name, system, table, keyColumns }: RequestedAction['collection'],
): Cause | null {
  if (actor.kind !== 'user') return refused('Only users share items: a share acts for the user who made it')
  if (system || table === null || keyColumns.length === 0)
    return refused(`Items of ${name} cannot be shared: it is ${system ? 'a system collection' : 'without a key'}`)
  if (isUnlimited(actor) || rulesFor(actor, name, 'share').length === 0) return null
  const creating = rulesFor(actor, shares, 'create')
  if (creating.length === 0) return refused(`A share is an item of ${shares}, and no rule allows to create one`)
  const named = ['collection', 'item'].find((field) =>
    creating.every(({ fields }) => fields !== '*' && !fields.includes(field)),
  )
  return named === undefined
    ? null
    : refused(`A share is an item of ${shares}, and no rule to create one names "${named}"`)
}

/** The policies without access to the application, where that access would grant the action. */
export function appAccessCauses(
  { user, loaded, held, policies }: Pick<Subject, 'user' | 'loaded' | 'held' | 'policies'>,
  { collection, action, field }: RequestedAction,
  schema: Schema,
): readonly Cause[] {
  if (user === null || loaded === null || loaded.access.app || !grantsApp(schema, collection.name, action, field))
    return []
  const names = held.policies
    .map(({ id }) => policies.get(id))
    .flatMap((each) => (each ? [JSON.stringify(each.name)] : []))
  const holders = names.length === 0 ? 'the user holds no policy' : `none of ${names.join(', ')} has it`
  const message = `Every policy with app_access grants it, at least on own items, and ${holders}`
  return [{ code: 'app-access-missing', message }]
}

const grantsApp = (schema: Schema, collection: string, action: Action, field: string | null): boolean =>
  appRules(schema).some(
    (rule) =>
      rule.collection === collection &&
      rule.action === action &&
      (field === null || rule.fields === '*' || rule.fields.includes(field)),
  )
