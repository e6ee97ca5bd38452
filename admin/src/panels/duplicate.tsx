/** A new item with the values of this one. Related items of others stay with it. */
import DuplicateIcon from '@mui/icons-material/ContentCopyOutlined'
import { Button } from '@mui/material'
import { useRecordContext, useResourceContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import type { Row } from '../client.ts'
import { type Collection, hasFieldRight, hasRight } from '../model/model.ts'

export const DuplicateButton = ({ collection }: { readonly collection: Collection }) => {
  const translate = useTranslate()
  const record = useRecordContext()
  const resource = useResourceContext()
  if (record === undefined || !hasRight(collection, 'create') || collection.meta.singleton) return null
  return (
    <Button
      size="small"
      startIcon={<DuplicateIcon />}
      component={Link}
      to={`/${resource}/create`}
      state={{ record: copyOf(collection, record) }}
    >
      {translate('app.item_actions.duplicate')}
    </Button>
  )
}

/** What the database or the server fills in by itself is left to it. */
const filledIn = /^(date|user|role)-(created|updated)$/

const copyOf = (collection: Collection, record: Row): Row =>
  Object.fromEntries(
    collection.fields
      .filter(
        ({ field, schema, meta }) =>
          schema !== null &&
          !schema.is_primary_key &&
          !schema.is_generated &&
          !schema.has_auto_increment &&
          !(meta?.special ?? []).some((each) => filledIn.test(each)) &&
          hasFieldRight(collection, 'create', field),
      )
      .flatMap(({ field }) => (record[field] === undefined ? [] : [[field, record[field]]])),
  )
