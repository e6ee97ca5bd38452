/** Changes of related items that wait for the form to be saved. */
import { useInput, useRecordContext } from 'react-admin'
import { isRelated, type RelatedChanges } from '../../api/changes.ts'
import type { Row } from '../../client.ts'
import { hasFieldRight } from '../../model/model.ts'
import type { ToMany } from '../../model/relations.ts'
import { columnPaths } from './related-fields.ts'
import { useRelatedRows } from './related-rows.ts'

const none: RelatedChanges = { create: [], update: [], delete: [] }

export type StagedRow = {
  readonly key: string | number | null
  readonly row: Row
  readonly state: 'same' | 'new' | 'changed'
}

/** The rows of a relation with what is staged, and the ways to change them. */
export function useStaged(source: string, relation: ToMany) {
  const { field, fieldState } = useInput({ source, format: (value: unknown) => value ?? null })
  const changes = isRelated(field.value) ? field.value : none
  const record = useRecordContext()
  const keyField = relation.many.key ?? 'id'
  const { rows: stored, total, isPending } = useRelatedRows(relation, record?.id, columnPaths(relation))
  const set = (next: Partial<RelatedChanges>): void => field.onChange({ ...changes, ...next })
  const updated = new Map(changes.update.map((each) => [each[keyField], each]))
  const known = new Set(stored.map((row) => row[keyField]))
  const rows: readonly StagedRow[] = [
    ...stored
      .filter((row) => !changes.delete.includes(row[keyField] as string))
      .map((row): StagedRow => {
        const change = updated.get(row[keyField])
        return {
          key: row[keyField] as string,
          row: merged(row, change),
          state: change === undefined ? 'same' : 'changed',
        }
      }),
    ...changes.update
      .filter((each) => !known.has(each[keyField]))
      .map((row): StagedRow => ({ key: row[keyField] as string, row, state: 'new' })),
    ...changes.create.map((row): StagedRow => ({ key: null, row, state: 'new' })),
  ]
  return {
    rows,
    total,
    isPending,
    fieldState,
    create: (row: Row) => set({ create: [...changes.create, { ...row, ...nextPlace(relation, rows) }] }),
    update: (row: Row) =>
      set({
        update: [
          ...changes.update.filter((each) => each[keyField] !== row[keyField]),
          { ...updated.get(row[keyField]), ...row },
        ],
      }),
    replaceNew: (old: Row, row: Row) => set({ create: changes.create.map((each) => (each === old ? row : each)) }),
    /** Gives the values of a new row to a stored one. */
    giveTo: (key: StagedRow['key'], row: Row, values: Row) =>
      set({
        create: changes.create.filter((each) => each !== row),
        update: [
          ...changes.update.filter((each) => each[keyField] !== key),
          { ...updated.get(key), ...values, [keyField]: key },
        ],
      }),
    /** Numbers all rows in this order. */
    reorder: (ordered: readonly StagedRow[], sortField: string) => {
      const place = new Map(ordered.map((each, at) => [each.row, at + 1]))
      const moved = ordered.filter(({ key, row }) => key !== null && row[sortField] !== place.get(row))
      const changed = new Map(moved.map(({ key, row }) => [key, { [keyField]: key, [sortField]: place.get(row) }]))
      set({
        create: changes.create.map((row) => ({ ...row, [sortField]: place.get(row) })),
        update: [
          ...changes.update.map((each) => ({ ...each, ...changed.get(each[keyField] as string) })),
          ...[...changed.values()].filter((each) => !updated.has(each[keyField])),
        ],
      })
    },
    remove: ({ key, row }: StagedRow) => {
      const isStored = key !== null && known.has(key)
      set({
        create: changes.create.filter((each) => each !== row),
        update: changes.update.filter((each) => key === null || each[keyField] !== key),
        delete: isStored ? [...changes.delete, key] : changes.delete,
      })
    },
  }
}

/** A new row is the last one, where all rows are numbered. */
function nextPlace({ many, sortField }: ToMany, rows: readonly StagedRow[]): Row {
  if (sortField === null || !hasFieldRight(many, 'create', sortField)) return {}
  const last = Math.max(0, ...rows.map(({ row }) => Number(row[sortField] ?? Number.POSITIVE_INFINITY)))
  return Number.isFinite(last) ? { [sortField]: last + 1 } : {}
}

/** Changes of a related item go into it; other values are replaced. */
const merged = (row: Row, change: Row | undefined): Row => {
  if (change === undefined) return row
  const entries = Object.entries(change).map(([name, value]) => {
    const before = row[name]
    const isNested =
      typeof value === 'object' &&
      value !== null &&
      typeof before === 'object' &&
      before !== null &&
      !Array.isArray(value)
    return [name, isNested ? { ...before, ...value } : value] as const
  })
  return { ...row, ...Object.fromEntries(entries) }
}
