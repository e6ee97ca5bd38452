/** What everybody who may use the application needs to read, beside its policies' own rules. */
import type { Action, Rule } from '../domain/actor.ts'
import { type DynamicValue, type Filter, matchAll } from '../domain/filter.ts'
import type { Schema } from '../domain/schema.ts'

const user: DynamicValue = { kind: 'current-user', path: [] }

const is = (field: string, value: DynamicValue): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator: 'eq',
  values: [value],
})

const isOneOf = (field: string, value: DynamicValue): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator: 'in',
  values: [value],
})

const ownFields = [
  'id',
  'first_name',
  'last_name',
  'last_page',
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
  'tfa_secret',
  'status',
  'role',
]

type Row = readonly [collection: string, action: Action, fields: Rule['fields'], filter: Filter]

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
  ['platform_activity', 'read', '*', is('user', user)],
  ['platform_users', 'read', ownFields, is('id', user)],
]

/** The rules that exist with this schema. */
export function appRules(schema: Schema): readonly Rule[] {
  return rows
    .filter(([collection]) => schema.collections.has(collection))
    .map(([collection, action, fields, filter]) => ({
      collection,
      action,
      fields,
      filter,
      validation: null,
      presets: null,
    }))
}
