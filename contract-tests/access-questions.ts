/** Questions of rights that depend on more than the permission for their operation. */
import { administrators, blindWriters, type Row } from './access-rows.ts'
import { administrator } from './world-data.ts'

/** A case whose outcome depends on more than the permission for its operation. */
export type Question = {
  readonly generation: 'current' | 'legacy'
  readonly operation: string
  readonly rule: string
  /** Settings that an administrator makes first. */
  readonly given?: object
  /** A permission of version 8 that an administrator makes first. */
  readonly level?: object
  readonly body: object
  /** Name of the cookie that carries the access token of a login in json mode. */
  readonly cookie?: string
  readonly row: Row
}

const registration = { public_registration: false, public_registration_role: administrator.role } as const
const filtered = { public_registration_email_filter: { email: { _ends_with: '@example.com' } } } as const
const settings = { generation: 'current', operation: 'updateSettings', row: administrators } as const
const nothing: Row = ['no', 'no', 'no', 'no', 'no']
const presets = {
  generation: 'legacy',
  operation: 'createCollectionPresets',
  body: { collection: 'articles' },
} as const
const unknown: Row = ['who', 'who', 'who', 'who', 'who']

export const questions: readonly Question[] = [
  { ...settings, rule: 'opening registration for a role', given: registration, body: { public_registration: true } },
  {
    ...settings,
    rule: 'dropping the confirmation of addresses',
    given: { ...registration, public_registration: true },
    body: { public_registration_verify_email: false },
  },
  {
    ...settings,
    rule: 'letting other addresses register',
    given: { ...registration, ...filtered },
    body: { public_registration_email_filter: null },
  },
  {
    ...settings,
    rule: 'closing registration for a role',
    given: { ...registration, public_registration: true },
    body: { public_registration: false },
    row: blindWriters,
  },
  {
    generation: 'current',
    operation: 'refreshSession',
    rule: 'renewing an access token',
    body: { mode: 'session' },
    cookie: 'platform_session_token',
    row: nothing,
  },
  {
    generation: 'legacy',
    operation: 'refresh',
    rule: 'renewing an access token',
    body: {},
    cookie: 'platform-_-session',
    row: unknown,
  },
  {
    ...presets,
    rule: 'a permission for a system collection by its name in version 8',
    level: { collection: 'platform_collection_presets', role: 2, create: 'full' },
    row: ['yes', 'no', 'yes', 'no', 'yes'],
  },
  {
    ...presets,
    rule: 'the later denial, by the prefix of version 8',
    level: { collection: 'directus_collection_presets', role: 2, create: 'none' },
    row: ['who', 'no', 'yes', 'no', 'yes'],
  },
]
