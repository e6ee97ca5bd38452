/** Whose policies demand a second factor and who has none may do nothing but set one up. */
import type { Access } from '../domain/actor.ts'
import type { Schema } from '../domain/schema.ts'
import { appRules } from './app-rules.ts'

/** What is left of somebody's rights until then: to see the own user. */
export function untilSecondFactor(access: Access, schema: Schema): Access {
  const rules = appRules(schema).filter(
    ({ collection, action }) => collection === 'platform_users' && action === 'read',
  )
  const fingerprint = `${access.fingerprint} without second factor`
  return { ...access, admin: false, app: false, rules, awaitsSecondFactor: true, fingerprint }
}
