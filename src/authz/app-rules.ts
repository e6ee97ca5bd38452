/** The minimum permissions of a policy with app access, in addition to the policy's own rules. */
import { and, compare, type DynamicValue, equals, type Filter, matchAll, or } from '../domain/query/filter.ts'
import type { Access, Action, Rule } from '../domain/rights/actor.ts'
import type { Schema } from '../domain/schema/schema.ts'

const user: DynamicValue = { kind: 'current-user', path: [] }

const isOneOf = (field: string, value: DynamicValue): Filter => compare(field, 'in', [value])

const personalFields = [
  'email',
  'password',
  'location',
  'title',
  'description',
  'tags',
  'avatar',
  'language',
  'appearance',
  'theme_light',
  'theme_dark',
]

const ownFields = ['id', 'first_name', 'last_name', 'last_page', ...personalFields, 'tfa_secret', 'status', 'role']

/** Own values that users may change in the application. Their second factor has operations of its own. */
const profileFields = [
  'first_name',
  'last_name',
  ...personalFields,
  'theme_light_overrides',
  'theme_dark_overrides',
  'email_notifications',
]

/** `more`: validation and presets of a write. */
type Row = readonly [
  collection: string,
  action: Action,
  fields: Rule['fields'],
  filter: Filter,
  more?: Pick<Rule, 'validation' | 'presets'>,
]

const test = (field: string, operator: 'null' | 'nnull'): Filter => compare(field, operator)

/** Presets of the user, of its roles, and global presets. */
const presetsInSight = or(
  equals('user', user),
  and(test('user', 'null'), or(test('role', 'null'), isOneOf('role', { kind: 'current-roles' }))),
)

/** Requires that the field refers to the current user, and fills it in. */
const forOneself = (field: string): Pick<Rule, 'validation' | 'presets'> => ({
  validation: equals(field, user),
  presets: { [field]: user },
})

const rows: readonly Row[] = [
  ['platform_collections', 'read', '*', matchAll],
  ['platform_fields', 'read', '*', matchAll],
  ['platform_relations', 'read', '*', matchAll],
  ['platform_settings', 'read', '*', matchAll],
  ['platform_permissions', 'read', '*', isOneOf('policy', { kind: 'current-policies' })],
  [
    'platform_policies',
    'read',
    ['id', 'name', 'icon', 'admin_access', 'app_access'],
    isOneOf('id', { kind: 'current-policies' }),
  ],
  ['platform_roles', 'read', '*', isOneOf('id', { kind: 'current-roles' })],
  ['platform_activity', 'read', '*', equals('user', user)],
  ['platform_users', 'read', ownFields, equals('id', user)],
  ['platform_users', 'update', profileFields, equals('id', user)],
  ['platform_translations', 'read', '*', matchAll],
  ['platform_presets', 'read', '*', presetsInSight],
  ['platform_presets', 'create', '*', matchAll, forOneself('user')],
  ['platform_presets', 'update', '*', equals('user', user), forOneself('user')],
  ['platform_presets', 'delete', '*', equals('user', user)],
  ['platform_comments', 'read', '*', equals('user_created', user)],
  [
    'platform_comments',
    'create',
    ['collection', 'item', 'comment'],
    matchAll,
    { validation: test('comment', 'nnull'), presets: null },
  ],
  ['platform_comments', 'update', ['comment'], equals('user_created', user)],
  ['platform_comments', 'delete', '*', equals('user_created', user)],
  ['platform_shares', 'read', '*', equals('user_created', user)],
  ['platform_notifications', 'read', '*', equals('recipient', user)],
  ['platform_notifications', 'update', ['status'], equals('recipient', user)],
]

export const appAccess: readonly (readonly [collection: string, action: Action])[] = rows.map(
  ([collection, action]) => [collection, action],
)

export function appRules(schema: Schema): readonly Rule[] {
  return rows
    .filter(([collection]) => schema.collections.has(collection))
    .map(([collection, action, fields, filter, more = { validation: null, presets: null }]) => ({
      collection,
      action,
      fields,
      filter,
      ...more,
    }))
}

/** The rights of a user who still has to set up the second factor: reading the own user. */
export function untilSecondFactor(access: Access, schema: Schema): Access {
  const rules = appRules(schema).filter(
    ({ collection, action }) => collection === 'platform_users' && action === 'read',
  )
  const fingerprint = `${access.fingerprint} without second factor`
  return { ...access, admin: false, app: false, rules, awaitsSecondFactor: true, fingerprint }
}
