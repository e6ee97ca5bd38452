/** Partial snapshots: limits a snapshot to some collections. */

import { refuseQuery } from '../../domain/conditions/literals.ts'
import { isSystemName } from '../../domain/model/system-collections.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { readWords } from '../wire/lists.ts'
import { refuse } from './schema-given.ts'
import { entryKey, isPartial, otherSideOf, partialVersion, type Snapshot } from './schema-snapshot.ts'

type ScopeParameter = { readonly name: string; readonly raw: unknown }

/** The two ways to select a part: `include` and `exclude`. */
export type ScopeOptions = { readonly include: ScopeParameter; readonly exclude: ScopeParameter }

/** Whether a collection belongs to the part. */
type Scope = (collection: string) => boolean

/** The requested part; null for the whole model. Throws `invalid-query`. */
export function readScope({ include, exclude }: ScopeOptions, schema: Schema): Scope | null {
  const included = readNames(include, schema)
  const excluded = readNames(exclude, schema)
  if (included !== null && excluded !== null) {
    return refuseQuery(exclude.name, `nothing beside "${include.name}"`, exclude.raw)
  }
  if (included !== null) return (name) => included.has(name)
  return excluded === null ? null : (name) => !excluded.has(name)
}

function readNames({ name, raw }: ScopeParameter, { collections }: Schema): ReadonlySet<string> | null {
  if (raw === undefined) return null
  const words = readWords(raw, name)
  if (words.length === 0) return refuseQuery(name, 'names of collections', raw)
  const unknown = words.find((word) => !collections.has(word))
  return unknown === undefined ? new Set(words) : refuseQuery(name, 'names of collections that exist', unknown)
}

/** Limits a whole snapshot to the part. */
export function narrowSnapshot(snapshot: Snapshot, scope: Scope): Snapshot {
  const { collections, fields, relations } = snapshot
  const others = otherSides(snapshot, scope)
  return {
    ...snapshot,
    version: partialVersion,
    collections: collections.filter(({ collection }) => scope(collection)),
    fields: fields.filter((field) => scope(field.collection) && !(field.meta == null && others.has(entryKey(field)))),
    relations: relations.filter(({ collection }) => scope(collection)),
  }
}

/** Completes a partial snapshot with the present state of everything outside it; returns a whole one unchanged. */
export function widenSnapshot(snapshot: Snapshot, present: Snapshot): Snapshot {
  if (!isPartial(snapshot)) return snapshot
  const names = new Set([...snapshot.collections, ...snapshot.fields].map(({ collection }) => collection))
  const isInScope: Scope = (name) => names.has(name)
  const collections = [
    ...snapshot.collections,
    ...present.collections.filter(({ collection }) => !isInScope(collection)),
  ]
  assertReachable(snapshot, new Set(collections.map(({ collection }) => collection)))
  return {
    ...snapshot,
    collections,
    fields: [...snapshot.fields, ...fieldsOutOfScope(snapshot, present, isInScope)],
    relations: [...snapshot.relations, ...present.relations.filter(({ collection }) => !isInScope(collection))],
  }
}

/** Fields outside the part, without the other sides of relations across the boundary: those follow their relations. */
function fieldsOutOfScope(snapshot: Snapshot, present: Snapshot, isTold: Scope): Snapshot['fields'] {
  const names = new Set(snapshot.fields.map(entryKey))
  const across = otherSides(present, isTold)
  const before = otherSides(present, (name) => !isTold(name))
  const rows = present.fields.filter((field) => {
    const key = entryKey(field)
    return isTold(field.collection) ? across.has(key) && !names.has(key) : field.meta != null || !before.has(key)
  })
  const there = new Set([...snapshot.fields, ...rows].map(entryKey))
  const after = [...otherSides(snapshot, (name) => !isTold(name))].filter(([key]) => !there.has(key))
  return [...rows, ...after.map(([, side]) => ({ ...side, type: 'alias' as const, meta: null }))]
}

/** Throws if the part refers to a collection that exists neither in it nor here. */
function assertReachable({ collections, relations }: Snapshot, names: ReadonlySet<string>): void {
  const isThere = (name: string): boolean => names.has(name) || isSystemName(name)
  const lost = [
    ...collections.map(({ collection, meta }) => ({ place: collection, to: meta?.group })),
    ...relations.map((relation) => ({ place: entryKey(relation), to: relation.related_collection })),
  ].find(({ to }) => to != null && !isThere(to))
  if (lost === undefined) return
  refuse(`Expected collection "${lost.to}", to which "${lost.place}" leads, in the partial snapshot or here`)
}

type OtherSides = ReadonlyMap<string, { readonly collection: string; readonly field: string }>

/** Aliases for relations that belong to a collection outside the part, by place. */
function otherSides({ relations }: Snapshot, scope: Scope): OtherSides {
  const sides = relations.filter(({ collection }) => !scope(collection)).flatMap(otherSideOf)
  return new Map(sides.map((side) => [entryKey(side), side]))
}
