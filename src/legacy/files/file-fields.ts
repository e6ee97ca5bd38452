/** Parses fields of a file in a body or a form into changes and file names. */

import { filesCollection } from '../../core/guards/guard-files.ts'
import { parseOr } from '../../domain/parse-or.ts'
import type { QueryContext } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { openSystemCollection } from '../wire/collections.ts'
import { parseCreate, parseUpdate } from '../wire/mutation.ts'

/** Properties of a file besides its contents. */
export type FileChanges = {
  readonly changes: Changes
  /** The name that browsers save the file under. */
  readonly download: string | null
  /** The name on disk; for a new file only its extension is used. */
  readonly disk: string | null
}

type FormValues = { readonly [name: string]: unknown }

/**
 * Parses a new file, or changes to the files of the keys, which are those of the path. Lists may be text; the name on
 * disk has two spellings.
 */
export function parseFileChanges(ctx: QueryContext, values: FormValues, keys: readonly Key[] | null): FileChanges {
  const { filename, filename_disk: disk, filename_download: download, ...rest } = values
  const fields = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toValue(name, value)]))
  assertHash(fields['private_hash'])
  const older = toName('filename', filename)
  const files = openSystemCollection(ctx, filesCollection, keys === null ? 'create' : 'update')
  return {
    changes: changesOf(keys === null ? parseCreate(fields, files) : parseUpdate(fields, keys, files)),
    download: download === null ? refuseName('filename_download') : toName('filename_download', download),
    disk: toName('filename_disk', disk) ?? older,
  }
}

/** Parses a list of partial files with their numbers. Contents and names on disk can only be changed one by one. */
export function parseFileEach(body: unknown): readonly FormValues[] {
  return (Array.isArray(body) ? (body as readonly FormValues[]) : []).map((item) => {
    const isSeveral = ['data', 'filename', 'filename_disk'].some((name) => Object.hasOwn(item, name))
    if (isSeveral) throw several()
    assertHash(item['private_hash'])
    return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toValue(name, value)]))
  })
}

/** The error for several files at once. */
export const several = (): TandemError =>
  new TandemError({ kind: 'upload-failed', problem: 'several', reason: 'Batch upload is not allowed' })

function changesOf(mutation: ReturnType<typeof parseCreate>): Changes {
  if (mutation.kind === 'create') return mutation.items[0] ?? new Map()
  return mutation.kind === 'update' ? mutation.changes : new Map()
}

/** Forms contain only text. */
function toValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (name === 'tags') return toTags(value)
  if (name !== 'metadata') return value === 'null' ? null : value
  return parseOr(value, null) ?? refuse(name, 'JSON')
}

/**
 * Parses a list as JSON or separated by commas.
 * @example toTags('red, green') // ['red', 'green']
 */
function toTags(text: string): unknown {
  const list = parseOr(text, null)
  if (Array.isArray(list)) return list
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function toName(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null
  const isName = typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value) && value.isWellFormed()
  return isName && value.length <= longestName ? value : refuseName(name)
}

/** The length of the columns. */
const longestName = 255

const refuseName = (name: string): never =>
  refuse(name, `a text of at most ${longestName} characters without control characters`)

/** The private hash is part of URLs and must be hard to guess. */
function assertHash(value: unknown): void {
  if (value === undefined) return
  if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{8,16}$/.test(value)) {
    refuse('private_hash', '8 to 16 letters, digits, dashes or underscores')
  }
}

function refuse(name: string, expected: string): never {
  throw invalidPayload(name, `Expected ${expected} for "${name}"`)
}
