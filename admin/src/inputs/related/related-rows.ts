/** The stored rows of a relation. */
import { type Identifier, useGetManyReference } from 'react-admin'
import type { Row } from '../../client.ts'
import { toResource } from '../../model/names.ts'
import type { ToMany } from '../../model/relations.ts'

/** More rows than this are not shown in a form. */
export const shownAtMost = 100

export function useRelatedRows(relation: ToMany, id: Identifier | undefined, fields: readonly string[]) {
  const { many, manyField, sortField } = relation
  const { data, total, isPending } = useGetManyReference(
    toResource(many.name),
    {
      target: manyField,
      id: id ?? '',
      pagination: { page: 1, perPage: shownAtMost },
      sort: { field: sortField ?? many.key ?? 'id', order: 'ASC' },
      filter: {},
      meta: { fields },
    },
    { enabled: id !== undefined },
  )
  return { rows: (data ?? []) as readonly Row[], total: total ?? 0, isPending: isPending && id !== undefined }
}
