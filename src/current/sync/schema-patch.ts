/** Applies differences to a snapshot. Each must fit the current state: nothing is guessed or skipped. */

import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../domain/is-record.ts'
import { type Change, type Differences, deletedIn, type EntryDiff, wholeChange } from './schema-diff.ts'
import { assertSnapshot, completeSnapshot, refuse } from './schema-given.ts'
import { type Entry, entryKey, type Part, type Snapshot } from './schema-snapshot.ts'

/** Returns the changed snapshot. Throws `invalid-payload` naming the change that does not fit. */
export function patchSnapshot(present: Snapshot, differences: Differences): Snapshot {
  const deleted = deletedIn(differences.collections)
  const remaining = <P extends Part>(part: P): Snapshot[P] =>
    present[part].filter(({ collection }) => !deleted.has(collection)) as Snapshot[P]
  const patched: unknown = {
    ...present,
    collections: patchPart(present.collections, differences.collections, 'collections'),
    fields: patchPart(remaining('fields'), differences.fields, 'fields'),
    relations: patchPart(remaining('relations'), differences.relations, 'relations'),
  }
  assertSnapshot(patched)
  return completeSnapshot(patched, present)
}

function patchPart(entries: readonly Entry[], diffs: readonly EntryDiff[], part: Part): readonly Entry[] {
  const entriesByKey = new Map(
    entries.map((entry): [string, Entry] => [entryKey(entry as { collection: string }), entry]),
  )
  const seen = new Set<string>()
  for (const [index, each] of diffs.entries()) {
    const key = entryKey(each)
    if (seen.has(key)) refuse(`Expected "${key}" once in "${part}" but received it twice`, `diff.${part}.${index}`)
    seen.add(key)
    const patched = patchEntry(entriesByKey.get(key), each, `diff.${part}.${index}.diff`)
    if (patched === undefined) entriesByKey.delete(key)
    else entriesByKey.set(key, patched)
  }
  return [...entriesByKey.values()]
}

/** The changed entry; undefined if it is deleted. */
function patchEntry(entry: Entry | undefined, { diff, ...names }: EntryDiff, at: string): Entry | undefined {
  const change = wholeChange(diff)
  if (change !== null) {
    if (diff.length > 1) refuse(`Expected nothing beside an entry that is new or deleted at "${at}"`, at)
    return (change.kind === 'N' ? newEntry : deletedEntry)(entry, { change, names, at })
  }
  if (entry === undefined)
    return refuse(`Expected "${entryKey(names)}" to exist, which is to be changed at "${at}"`, at)
  const copy = structuredClone(entry)
  for (const [index, each] of diff.entries()) applyChange(copy, each, `${at}.${index}`)
  for (const path of listPaths(diff)) assertNoHoles(copy, path, at)
  if (entryKey(copy as { collection: string }) !== entryKey(names)) {
    refuse(`Expected the names of "${entryKey(names)}" to stay: names cannot be changed`, at)
  }
  return copy
}

type Whole = { readonly change: Change; readonly names: Omit<EntryDiff, 'diff'>; readonly at: string }

function newEntry(entry: Entry | undefined, { change, names, at }: Whole): Entry {
  if (entry !== undefined) return refuse(`Expected a new name but "${entryKey(names)}" exists already`, at)
  const { rhs } = change
  if (!isRecord(rhs)) return refuse(`Expected an entry for "${at}.0.rhs"`, at)
  if (rhs['collection'] === names.collection && rhs['field'] === names.field) return structuredClone(rhs)
  return refuse(`Expected the entry of "${entryKey(names)}" for "${at}.0.rhs" but received another`, at)
}

function deletedEntry(entry: Entry | undefined, { change, names, at }: Whole): undefined {
  if (entry === undefined) return refuse(`Expected "${entryKey(names)}" to exist, which is to be deleted`, at)
  if (!isDeepStrictEqual(change.lhs, entry)) misfit(`${at}.0.lhs`)
}

const misfit = (at: string): never => refuse(`Expected the present value for "${at}" but received another`, at)

type Holder = { [key: string]: unknown } | unknown[]

/** Changes the copy in place. */
function applyChange(copy: Entry, change: Change, at: string): void {
  const path = change.path ?? []
  if (path.length === 0) refuse(`Expected a path for "${at}"`, `${at}.path`)
  if (change.kind === 'A') return applyToList(holderOf(copy, path, at), change, at)
  const last = path.at(-1) as string | number
  const holder = holderOf(copy, path.slice(0, -1), at)
  const key = keyIn(holder, last, at)
  const isThere = Object.hasOwn(holder, key)
  if (isThere === (change.kind === 'N'))
    refuse(`Expected ${isThere ? 'nothing' : 'a value'} at the path of "${at}"`, `${at}.path`)
  if (change.kind !== 'N' && !isDeepStrictEqual(read(holder, key), change.lhs)) misfit(`${at}.lhs`)
  if (change.kind === 'D') {
    if (Array.isArray(holder)) refuse(`Expected a change of kind A for an element of a list at "${at}"`, at)
    Reflect.deleteProperty(holder, key)
  } else Reflect.set(holder, key, plain(change.rhs, `${at}.rhs`))
}

function applyToList(list: Holder, { index, item }: Change, at: string): void {
  if (!Array.isArray(list)) return refuse(`Expected a list at the path of "${at}"`, `${at}.path`)
  if (index === undefined || item === undefined) return refuse(`Expected "index" and "item" for "${at}"`, at)
  const isThere = Object.hasOwn(list, index)
  if (item.kind === 'A' || isThere === (item.kind === 'N'))
    refuse(`Expected another kind of change for "${at}.item"`, at)
  if (item.kind !== 'N' && !isDeepStrictEqual(list[index], item.lhs)) misfit(`${at}.item.lhs`)
  if (item.kind === 'D') list.splice(index, 1)
  else list[index] = plain(item.rhs, `${at}.item.rhs`)
}

const plain = (value: unknown, at: string): unknown =>
  value === undefined ? refuse(`Expected a value for "${at}" but received nothing`, at) : structuredClone(value)

function holderOf(copy: Entry, path: readonly (string | number)[], at: string): Holder {
  let holder: unknown = copy
  for (const key of path) {
    const next: unknown = isHolder(holder) ? read(holder, keyIn(holder, key, at)) : undefined
    if (!isHolder(next)) return refuse(`Expected a path that exists for "${at}"`, `${at}.path`)
    holder = next
  }
  return holder as Holder
}

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

const read = (holder: Holder, key: string | number): unknown =>
  Object.hasOwn(holder, key) ? (Reflect.get(holder, key) as unknown) : undefined

/** An index of a list, or a name that is not inherited. */
function keyIn(holder: Holder, key: string | number, at: string): string | number {
  if (Array.isArray(holder))
    return typeof key === 'number' ? key : refuse(`Expected a position in a list at "${at}"`, `${at}.path`)
  const name = String(key)
  return name in Object.prototype || name === 'prototype'
    ? refuse(`Expected another name than "${name}" in the path of "${at}"`, `${at}.path`)
    : name
}

const listPaths = (diff: readonly Change[]): readonly (readonly (string | number)[])[] =>
  diff.flatMap(({ kind, path = [] }) => (kind === 'A' ? [path] : []))

/** New elements arrive in reverse order, so gaps are checked at the end. */
function assertNoHoles(copy: Entry, path: readonly (string | number)[], at: string): void {
  const list = holderOf(copy, path, at)
  if (!Array.isArray(list)) return
  if (Object.keys(list).length !== list.length)
    refuse(`Expected all elements of the list "${path.join('.')}" at "${at}"`, at)
}
