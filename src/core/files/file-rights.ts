/** Checks the permission to create or update files before contents are read. */

import { authorizeMutation } from '../../authz/authorize.ts'
import { covers, forbidden, isUnlimited, rulesFor } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { and } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import type { Action, Rule } from '../../domain/rights/actor.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { assertKeepsContents, filesCollection, setByServer } from '../guards/guard-files.ts'
import { readAsServer } from '../rows/has-row.ts'
import { keyFilter, notFound, systemCollection } from '../rows/keys.ts'

/** The target of contents: a new file, or an existing one. */
export type FileTarget = { readonly id: string; readonly replaces: boolean; readonly changes: Changes }

/** Checks the permission to write the target. Returns the chosen location. */
export async function assertStorable(ctx: Context, { id, replaces, changes }: FileTarget): Promise<string> {
  if (!replaces) return assertCreatable(ctx, changes)
  await assertUpdatable(ctx, id)
  assertCovered(ctx, 'update', changes)
  return storageOf(ctx, changes)
}

/** Checks the permission to update the file. Returns its id. */
export async function assertUpdatable(ctx: Context, key: Key): Promise<string> {
  const target = { kind: 'keys', keys: [key] } as const
  const { rows } = authorizeMutation(ctx, { kind: 'update', collection: filesCollection, target, changes: new Map() })
  const own = keyFilter(systemCollection(ctx, filesCollection), key)
  const filter = rows === undefined ? own : and(own, rows)
  const [file] = await readAsServer(ctx, rowsOf(filesCollection, ownFields('id'), { filter, limit: 1 }))
  if (file === undefined) throw notFound(filesCollection)
  return file['id'] as string
}

/** Checks the changes before contents are read. Returns the chosen location. */
export function assertCreatable(ctx: Pick<Context, 'actor' | 'storage'>, changes: Changes): string {
  assertCovered(ctx, 'create', changes)
  return storageOf(ctx, changes)
}

function storageOf(ctx: Pick<Context, 'actor' | 'storage'>, changes: Changes): string {
  assertKeepsContents(ctx, without(changes, 'storage'))
  if (changes.has('filename_download')) throw setByServer('filename_download')
  return locationIn(ctx, changes)
}

/** The chosen location, or the primary one. Throws for a location that is not configured. */
export function locationIn({ storage }: Pick<Context, 'storage'>, changes: Changes): string {
  const name = changes.has('storage') ? textOf(changes, 'storage') : storage.primary
  if (name !== null && storage.locations.has(name)) return name
  const names = [...storage.locations.keys()].map((each) => `"${each}"`).join(', ')
  throw invalidPayload('storage', `Expected one of ${names} for "storage"`)
}

/** Each given field needs a rule that allows it. Validation follows when all values are known. */
export function assertCovered({ actor }: Pick<Context, 'actor'>, action: Action, changes: Changes): void {
  if (isUnlimited(actor)) return
  const rules = rulesFor(actor, filesCollection, action)
  if (rules.length === 0) throw forbidden(action, filesCollection)
  for (const name of changes.keys()) {
    if (!rules.some((rule) => covers(rule, name))) throw forbidden(action, filesCollection, name)
  }
}

/**
 * The caller with the additional right to write the facts about contents. These values are still validated by the
 * caller's rules, for example by a rule that allows only small images.
 */
export function asUploader(ctx: Context, action: Action, facts: Changes): Context {
  const { actor } = ctx
  if (isUnlimited(actor) || actor.kind === 'system') return ctx
  const widen = (rule: Rule): Rule =>
    rule.collection !== filesCollection || rule.action !== action || rule.fields === '*'
      ? rule
      : { ...rule, fields: [...rule.fields, ...facts.keys()] }
  const access = { ...actor.access, rules: actor.access.rules.map(widen) }
  return { ...ctx, actor: { ...actor, access } }
}

/** The text value of the field; null if it is absent. Throws for other values. */
export function textOf(changes: Changes, name: string): string | null {
  const change = changes.get(name)
  if (change === undefined || (change.kind === 'value' && change.value === null)) return null
  if (change.kind === 'value' && typeof change.value === 'string' && change.value !== '') return change.value
  throw invalidPayload(name, `Expected a text for "${name}"`)
}

/** The changes without one field. */
export const without = (changes: Changes, name: string): Changes =>
  new Map([...changes].filter(([each]) => each !== name))
