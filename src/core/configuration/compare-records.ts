/** The differences between stored records and those of the files. */
import { isDeepStrictEqual } from 'node:util'
import type { Entry, PlannedChange } from '../../domain/ports/configuration.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { WantedRecords } from './documents.ts'
import { type RoleFacts, roleFactsOf } from './policy-breaks.ts'
import { namesIn, type Records, type StoredRecord } from './read-records.ts'
import { recordBreaks } from './record-breaks.ts'
import { type RecordKind, recordKinds } from './record-kinds.ts'
import { hiddenValues, withStoredSecrets } from './webhook-secrets.ts'
import { describeRight, describeValues } from './words.ts'

export type RecordChange = {
  readonly kind: RecordKind
  readonly key: string
  readonly before: StoredRecord | null
  /** Null: the row is deleted. */
  readonly after: Entry | null
  readonly planned: PlannedChange
}

/** `kept`: records that are in no file and are not deleted. */
export type ComparedRecords = { readonly changes: readonly RecordChange[]; readonly kept: readonly string[] }

export type CompareOptions = {
  readonly prune: boolean
  /** Collections with a file, whose rights are exactly those of the file. */
  readonly filed: ReadonlySet<string>
  readonly secrets: ReadonlySet<string>
  readonly fieldsOf: (collection: string) => readonly string[]
}

/** Compares all kinds, in the order in which they are written. */
export function compareRecords(present: Records, wanted: WantedRecords, options: CompareOptions): ComparedRecords {
  const roleFacts = roleFactsOf(present)
  const changes: RecordChange[] = []
  const add = (change: Omit<RecordChange, 'planned'>) =>
    changes.push({ ...change, planned: describe(change.kind, change.key, { ...change, options, roleFacts }) })
  const names: string[] = []
  for (const kind of Object.keys(recordKinds) as RecordKind[]) {
    for (const [key, after] of wanted[kind]) {
      const before = present[kind].get(key) ?? null
      const own = withoutFormerName(after)
      const plain = kind === 'webhook' ? withStoredSecrets(titleOf(kind, key), own, before?.entry ?? {}) : own
      if (before !== null && isSame(before.entry, plain)) continue
      assertSameHolder(kind, key, before, plain)
      add({ kind, key, before, after: plain })
    }
    for (const [key, before] of present[kind]) {
      if (wanted[kind].has(key) || kind === 'settings' || before.entry['fixed'] !== undefined) continue
      const isRight = kind === 'right' || kind === 'level'
      const isGone = isRight ? options.prune || options.filed.has(String(namesIn(key)[0])) : options.prune
      if (isGone) add({ kind, key, before, after: null })
      else if (!isRight) names.push(titleOf(kind, key))
    }
  }
  return { changes, kept: names }
}

function assertSameHolder(kind: RecordKind, key: string, before: StoredRecord | null, after: Entry): void {
  if (kind !== 'policy' || before === null || before.entry['of_role'] === after['of_role']) return
  const [has, received] = [before.entry['of_role'], after['of_role']].map((role) => JSON.stringify(role ?? null))
  throw invalidPayload(
    titleOf(kind, key),
    `Expected "of_role" of ${titleOf(kind, key)} to stay ${has} but received ${received}`,
  )
}

const withoutFormerName = ({ renamed_from: _former, ...entry }: Entry): Entry => entry

/** Null equals absence where the default is null. */
const isSame = (before: Entry, after: Entry): boolean => changedNames(before, after).length === 0

/** `fixed` identifies the row and never changes. */
const changedNames = (before: Entry, after: Entry): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => name !== 'fixed' && !isDeepStrictEqual(before[name], after[name]),
  )

type ComparedEntry = {
  readonly before: StoredRecord | null
  readonly after: Entry | null
  readonly options: CompareOptions
  readonly roleFacts: RoleFacts
}

function describe(kind: RecordKind, key: string, sides: ComparedEntry): PlannedChange {
  const { before, after, options, roleFacts } = sides
  const effect = before === null ? 'create' : after === null ? 'delete' : 'change'
  const title = titleOf(kind, key)
  const words = {
    create: () => `Create ${title}${kind === 'right' ? `: ${rightWords(key, sides)}` : ''}`,
    change: () => changeWords(kind, title, sides),
    delete: () => `Delete ${title}${kind === 'role' ? ', which suspends its users' : ''}`,
  }[effect]()
  return {
    words,
    effect,
    ...recordBreaks({ kind, key, before: before?.entry ?? null, after }, { fieldsOf: options.fieldsOf, ...roleFacts }),
  }
}

const rightWords = (key: string, { after, options }: ComparedEntry): string =>
  describeRight(String(namesIn(key)[2]), after ?? {}, options.secrets)

/** A role or policy whose stored name is not that of the file gets a new one. */
function changeWords(kind: RecordKind, title: string, { before, after, options }: ComparedEntry): string {
  const [old, fresh] = [before?.entry ?? {}, after ?? {}]
  const former = kind === 'role' || kind === 'policy' ? old['name'] : undefined
  const isRenamed = typeof former === 'string' && fresh['name'] === undefined
  const details = changedNames(old, fresh)
    .filter((name) => !(isRenamed && name === 'name'))
    .map((name) =>
      describeValues(shownNames[kind]?.[name] ?? name, {
        before: old[name],
        after: fresh[name],
        secrets: hiding(kind, name, old, options.secrets),
      }),
    )
  const listed = details.length === 0 ? '' : `: ${details.join('; ')}`
  return isRenamed
    ? `Rename ${kind} ${quoted(former)} to ${title.slice(kind.length + 1)}${listed}`
    : `Change ${title}${listed}`
}

/** As new rights are described. */
const shownNames: { readonly [K in RecordKind]?: { readonly [name: string]: string } } = {
  right: { permissions: 'rows' },
}

export const secretSettings: ReadonlyMap<string, string> = new Map([['mapbox_key', 'MAPBOX_KEY']])

/** A part of each text. */
const anyText: ReadonlySet<string> = new Set([''])

function hiding(kind: RecordKind, name: string, old: Entry, secrets: ReadonlySet<string>): ReadonlySet<string> {
  const stored = old[name]
  if (kind === 'webhook' && hiddenValues.has(name)) return anyText
  return kind === 'settings' && secretSettings.has(name) && typeof stored === 'string'
    ? new Set([...secrets, stored])
    : secrets
}

const quoted = (name: string | null | undefined): string => JSON.stringify(name ?? null)

function titleOf(kind: RecordKind, key: string): string {
  switch (kind) {
    case 'right': {
      const [collection, policy, action] = namesIn(key)
      return `the right of policy ${quoted(policy)} to ${action} ${quoted(collection)}`
    }
    case 'level': {
      const [collection, role, status] = namesIn(key)
      return `the levels of role ${quoted(role)} for ${quoted(collection)}${status == null ? '' : ` with status ${quoted(status)}`}`
    }
    case 'preset': {
      const [role, collection, bookmark] = namesIn(key)
      const holder = role == null ? 'everybody' : `role ${quoted(role)}`
      return `the preset ${bookmark == null ? '' : `${quoted(bookmark)} `}of ${quoted(collection)} for ${holder}`
    }
    case 'translation': {
      const [language, name] = namesIn(key)
      return `the text ${quoted(name)} in ${language}`
    }
    case 'webhook':
      return `the webhook ${quoted(namesIn(key)[0])}`
    case 'settings':
      return 'the settings'
    case 'role':
    case 'policy':
    case 'dashboard':
      return `${kind} ${quoted(key)}`
  }
}
