/** Operations of PATCH (RFC 7644, section 3.5.2), applied by a library that is shielded from hostile input. */

import { NoTarget, type ScimPatchOperation, scimPatch } from 'scim-patch'
import { isRecord } from '../domain/is-record.ts'
import { ScimError } from './errors.ts'
import { assertBounded, assertPathFilter } from './filter.ts'
import type { Operation } from './types.ts'

/**
 * The draft after the operations. Attributes are found whatever their case; `attributes` has their usual spelling.
 * @example applyOperations({ title: 'Author' }, [{ op: 'Remove', path: 'Title' }], ['title']) // {}
 */
export function applyOperations<Draft extends object>(
  draft: Draft,
  operations: readonly Operation[],
  attributes: readonly string[],
): Draft {
  const usual = new Map(attributes.map((each) => [each.toLowerCase(), each]))
  let patched = structuredClone(draft) as object
  for (const operation of operations) patched = apply(patched, toSafe(operation, usual))
  return patched as Draft
}

/** The library changes its input, and throws for operations that do not fit it. */
function apply(draft: object, operation: ScimPatchOperation): object {
  try {
    return scimPatch(draft as never, [operation])
  } catch (cause) {
    const path = JSON.stringify(operation.path ?? '')
    if (cause instanceof NoTarget) throw new ScimError('noTarget', 'path', `No value matches the path ${path}`, cause)
    throw new ScimError('invalidPath', 'path', `Expected an operation that fits the path ${path}`, cause)
  }
}

type Spelling = ReadonlyMap<string, string>

/** Names that lead out of plain data; the library follows any name. */
const leading = /__proto__|\bconstructor\b|\bprototype\b/i

function toSafe({ op, path, value }: Operation, usual: Spelling): ScimPatchOperation {
  const kind = op.toLowerCase()
  if (path !== undefined && path !== null) assertPath(path)
  if (kind === 'remove' && (path === undefined || path === null || path === '')) {
    throw new ScimError('noTarget', 'path', 'Expected a value for "path" of a remove operation but received none')
  }
  if (kind !== 'remove' && value === undefined) {
    throw new ScimError(
      'invalidValue',
      'value',
      `Expected a value for "value" of the operation ${kind} but received none`,
    )
  }
  const named = path === undefined || path === null || path === '' ? {} : { path: spell(path, usual) }
  if (!('path' in named) && !isRecord(value)) {
    throw new ScimError('invalidValue', 'value', 'Expected an object for "value" of an operation without a path')
  }
  return { op: kind, ...named, value: respell(value, usual) } as ScimPatchOperation
}

/** Refuses paths that would harm the library: it uses patterns, and writes to whatever a name leads to. */
export function assertPath(path: string): void {
  const failure = { scimType: 'invalidPath', name: 'path' } as const
  assertBounded(path, failure)
  assertPathFilter(path, failure)
  if (leading.test(path)) throw new ScimError('invalidPath', 'path', 'Expected the name of an attribute for "path"')
}

/** The usual spelling of all names in a path, except in quotes. */
const spell = (path: string, usual: Spelling): string =>
  path.replaceAll(/"(?:[^"\\]|\\.)*"|(?<![\w:.])[A-Za-z][\w-]*|(?<=[.:])[A-Za-z][\w-]*(?![\w:])/g, (word) =>
    word.startsWith('"') ? word : (usual.get(word.toLowerCase()) ?? word),
  )

/** The same for the names in a value. */
function respell(value: unknown, usual: Spelling): unknown {
  if (Array.isArray(value)) return value.map((each) => respell(each, usual))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, each]) => {
    assertPath(key)
    return [spell(key, usual), respell(each, usual)]
  })
  return Object.fromEntries(entries) as object
}
