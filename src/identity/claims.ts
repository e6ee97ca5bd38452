import type { Identity } from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { ClaimNames } from './settings.ts'

export type Claims = { readonly [name: string]: unknown }

/** Characters of a column; what is longer is no identifier. */
const longest = 255

const mostGroups = 1000

/**
 * The identity that the claims describe. Throws `invalid-credentials` without a usable identifier: the provider's own
 * texts never choose another account.
 */
export function toIdentity(claims: Claims, names: ClaimNames): Identity {
  const isAddress = names.identifier === names.email
  const externalId = claimAt(claims, names.identifier)
  const identifier = columnText(externalId)
  const isSpaced = typeof externalId === 'string' && externalId !== identifier
  const isDisguised = isSpaced || (isAddress && hasForeignCase(identifier ?? ''))
  if (identifier === null || isDisguised)
    throw new TandemError(
      { kind: 'invalid-credentials' },
      { cause: new Error(`No usable claim "${names.identifier}"`) },
    )
  for (const [name, value] of Object.entries(names.required)) assertClaim(claimAt(claims, name), name, value)
  return {
    identifier,
    isAddress,
    isAnyCase: isAddress,
    email: addressOf(claimAt(claims, names.email)),
    isVerified: names.verified === 'always' ? true : verdictOf(claimAt(claims, names.verified)),
    firstName: nameOf(claims, names.firstName),
    lastName: nameOf(claims, names.lastName),
    groups: groupsOf(claimAt(claims, names.groups)),
    session: null,
  }
}

function assertClaim(claim: unknown, name: string, value: string): void {
  if (claim === value || (Array.isArray(claim) && claim.includes(value))) return
  throw new TandemError({ kind: 'invalid-credentials' }, { cause: new Error(`The claim "${name}" is another one`) })
}

/** A text of a provider that fits into a column; null otherwise. */
export function columnText(value: unknown): string | null {
  const text = textOf(value)
  return text === null || text.length > longest || hasControls(text) ? null : text
}

/** A claim by its name, else by the path that dots in its name describe. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>(
      (current, part) =>
        typeof current === 'object' && current !== null && Object.hasOwn(current, part)
          ? (current as Claims)[part]
          : undefined,
      claims,
    )
}

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text)

/** Identifiers can be integers; other numbers have several notations. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' || !text.isWellFormed() ? null : text
}

/** Letters such as the Kelvin sign, whose lower case is one of ASCII: they make two addresses one. */
const hasForeignCase = (text: string): boolean => /[a-z]/.test(text.replaceAll(/[\p{ASCII}]/gu, '').toLowerCase())

/** With white space around it, an address may be another one to the provider. */
const addressOf = (value: unknown): string | null =>
  typeof value === 'string' &&
  value.length <= 128 &&
  value.isWellFormed() &&
  /^[^\s@]+@[^\s@]+$/.test(value) &&
  !hasControls(value) &&
  !hasForeignCase(value)
    ? value.toLowerCase()
    : null

/** Some providers send texts. */
function verdictOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === undefined || value === null ? null : false
}

function nameOf(claims: Claims, name: string | null): string | null {
  const text = name === null ? null : textOf(claimAt(claims, name))
  return text === null || hasControls(text) ? null : Array.from(text).slice(0, 50).join('')
}

/** A list of texts, one text, or an object whose names are groups, but for those that it denies. */
function groupsOf(value: unknown): readonly string[] {
  const groups = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([name, member]) =>
            member === false || member === null || member === 0 ? [] : [name],
          )
        : []
  return groups.filter((each) => typeof each === 'string').slice(0, mostGroups)
}
