/** Validates values of system collections beyond the type of their column. */

import { isAddressEntry } from '../../authz/addresses.ts'
import { readPattern } from '../../domain/conditions/patterns.ts'
import { webhookRules } from '../../domain/model/webhook-values.ts'
import { parseOr } from '../../domain/parse-or.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'

type Rule = (value: unknown, field: string, input: unknown) => unknown

/** The value to store. Throws a failure that names the field. `given`: the value as the caller sent it. */
export function systemValue(collection: string, field: string, value: unknown, input: unknown = value): unknown {
  const rules = byCollection[collection]
  const rule = rules !== undefined && Object.hasOwn(rules, field) ? rules[field] : undefined
  return rule === undefined || value === null ? value : rule(value, field, input)
}

/** Requires one `@` between a name and a host, without spaces, brackets and control characters. */
const address = /^[^\s\p{Cc}\p{Cs}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}\p{Cs}@<>()[\]\\,;:"]{1,190}$/u

/** Addresses are stored in one spelling, because they are compared as stored. */
const email: Rule = (value, field) => {
  const text = String(value).trim().toLowerCase()
  return address.test(text) ? text : fail({ kind: 'failed-validation', field, type: 'email' })
}

const oneOf =
  (...words: readonly string[]): Rule =>
  (value, field) =>
    words.includes(String(value)) ? value : fail({ kind: 'failed-validation', field, type: 'in', limit: words })

/** An empty list allows every address. Empty entries are rejected, because they are probably mistakes. */
const addressList: Rule = (value, field, input) => {
  if (Array.isArray(input) ? input.length === 0 : input === '') return value
  const entries = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map((each) => each.trim())
  const wrong = entries.find((each) => !isAddressEntry(each))
  if (wrong === undefined) return entries.join(',')
  const reason = `Expected addresses, ranges or networks for "${field}" but received "${wrong.slice(0, 100)}"`
  return fail({ kind: 'invalid-payload', name: field, reason })
}

const pattern: Rule = (value, field) => {
  if (value === '' || readPattern(String(value)) !== null) return value
  return fail({ kind: 'invalid-payload', name: field, reason: `Expected a regular expression for "${field}"` })
}

/** `main` is reserved for the item itself. */
const versionKey: Rule = (value, field) => {
  if (value !== '' && value !== 'main') return value
  const reason = `Expected a text other than "" and "main" for "${field}"`
  return fail({ kind: 'invalid-payload', name: field, reason })
}

/** The name is used in response headers and as a file name on clients. */
const fileName: Rule = (value, field) => {
  if (!/\p{Cc}/u.test(String(value))) return value
  return fail({ kind: 'invalid-payload', name: field, reason: `Expected no control characters for "${field}"` })
}

/** A comment must not be empty. */
const words: Rule = (value, field, input) => {
  if (String(value).trim() !== '') return value
  const reason = `Expected a text for "${field}" but received ${JSON.stringify(input).slice(0, 100)}`
  return fail({ kind: 'invalid-payload', name: field, reason })
}

const emptyIsNone: Rule = (value) => (value === '' ? null : value)

const atLeastOne: Rule = (value, field) =>
  Number(value) >= 1 ? value : fail({ kind: 'failed-validation', field, type: 'gte', limit: 1 })

/** Checks the JSON type that clients expect. The error does not repeat the value, which may be secret. */
const json =
  (expected: string, isFitting: (value: unknown) => boolean): Rule =>
  (value, field) =>
    isFitting(typeof value === 'string' ? parseOr(value, value) : value) ? value : wrongJson(field, expected)

const wrongJson = (field: string, expected: string): never =>
  fail({ kind: 'failed-validation', field, type: 'type', message: `Expected ${expected} for field "${field}"` })

const object = json('an object', (value) => typeof value === 'object' && !Array.isArray(value))
const list = json('a list', Array.isArray)
const structured = json('an object or a list', (value) => typeof value === 'object')

/** Forms send lists as one text with commas. */
const wordList: Rule = (value, field, input) => {
  if (typeof input === 'string' && !Array.isArray(parseOr(input, input))) {
    return input.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))
  }
  const words = typeof value === 'string' ? parseOr(value, value) : value
  const isWords = Array.isArray(words) && words.every((each) => typeof each === 'string')
  return isWords ? value : wrongJson(field, 'a list of texts')
}

const byCollection: { readonly [collection: string]: { readonly [field: string]: Rule } } = {
  platform_users: {
    email,
    status: oneOf('draft', 'invited', 'unverified', 'active', 'suspended', 'archived'),
    tags: wordList,
    auth_data: object,
    locale_options: structured,
    theme_light_overrides: object,
    theme_dark_overrides: object,
  },
  platform_policies: { ip_access: addressList },
  platform_roles: { ip_access: addressList, module_listing: structured, collection_listing: structured },
  platform_permissions: {
    action: oneOf('create', 'read', 'update', 'delete', 'share'),
    permissions: object,
    validation: object,
    presets: object,
  },
  platform_role_levels: {
    create: oneOf('none', 'mine', 'role', 'full'),
    read: oneOf('none', 'mine', 'role', 'full'),
    update: oneOf('none', 'mine', 'role', 'full'),
    delete: oneOf('none', 'mine', 'role', 'full'),
    comment: oneOf('none', 'read', 'create', 'update', 'full'),
    explain: oneOf('none', 'create', 'update', 'always'),
  },
  platform_presets: {
    layout_query: object,
    layout_options: object,
    filter: object,
    filters: structured,
    translation: structured,
  },
  platform_panels: { options: object },
  platform_comments: { comment: words },
  platform_activity: { comment: words },
  platform_files: { filename_download: fileName, tags: wordList, metadata: object },
  platform_versions: { key: versionKey },
  platform_shares: { password: emptyIsNone, max_uses: atLeastOne },
  platform_webhooks: {
    ...webhookRules,
    status: oneOf('active', 'inactive'),
    method: oneOf('POST', 'GET'),
    format: oneOf('standard', 'item'),
    headers: (value, field, input) => webhookRules.headers(list(value, field, input), field),
  },
  platform_settings: {
    theme_light_overrides: object,
    theme_dark_overrides: object,
    storage_asset_presets: list,
    basemaps: list,
    module_bar: list,
    custom_aspect_ratios: list,
    public_registration_email_filter: object,
    auth_password_policy: pattern,
    storage_asset_transform: oneOf('all', 'none', 'presets'),
    file_naming: oneOf('uuid', 'file_name'),
    asset_url_naming: oneOf('private_hash', 'filename_download'),
  },
}

function fail(failure: Failure): never {
  throw new TandemError(failure)
}
