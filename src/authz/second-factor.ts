/** Second factor: a user whose policies require one, and who has none, can only set one up. */
import type { Access } from '../domain/rights/actor.ts'
import type { Schema } from '../domain/schema/schema.ts'
import { appRules } from './app-rules.ts'

/** The rights of a user who still has to set up the second factor: reading the own user. */
export function untilSecondFactor(access: Access, schema: Schema): Access {
  const rules = appRules(schema).filter(
    ({ collection, action }) => collection === 'platform_users' && action === 'read',
  )
  const fingerprint = `${access.fingerprint} without second factor`
  return { ...access, admin: false, app: false, rules, awaitsSecondFactor: true, fingerprint }
}
