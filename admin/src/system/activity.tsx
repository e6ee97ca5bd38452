/** What was done, and by whom. */

import { Box, Link as TextLink } from '@mui/material'
import type { ReactNode } from 'react'
import { List, Pagination, TopToolbar, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import type { Row } from '../client.ts'
import type { Column } from '../content/layouts/header-cell.tsx'
import { ItemTable } from '../content/layouts/item-table.tsx'
import { FilterButton } from '../content/tools/filter-button.tsx'
import { useCollection } from '../content/use-collection.ts'
import { toMomentText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import { toResource } from '../model/names.ts'
import { toNamedLabel } from '../model/texts.ts'
import { toText } from '../model/to-text.ts'

const fields = [
  'id',
  'action',
  'timestamp',
  'collection',
  'item',
  'ip',
  'user.first_name',
  'user.last_name',
  'user.email',
]

const personOf = ({ user }: Row): string => {
  const { first_name: first, last_name: last, email } = (user ?? {}) as Row
  return [first, last].filter(Boolean).map(toText).join(' ') || toText(email) || '–'
}

/** Resources whose items have pages of their own. */
const pages = /^(content\/|system\/(users|roles|policies|files|folders|webhooks)$)/

/** The item, as a link where it has a page and is still there. */
const Item = ({ model, row }: { readonly model: Model; readonly row: Row }) => {
  const item = toText(row['item'])
  const collection = model.collections.get(toText(row['collection']))
  const resource = collection === undefined ? '' : toResource(collection.name)
  const hasPage = pages.test(resource) && collection?.meta.singleton !== true && row['action'] !== 'delete'
  if (!hasPage) return item
  return (
    <TextLink component={Link} to={`/${resource}/${encodeURIComponent(item)}`}>
      {item}
    </TextLink>
  )
}

export const ActivityList = () => {
  const translate = useTranslate()
  const here = useCollection()
  if (here === null) return null
  const column = (name: string, render: (row: Row) => ReactNode): Column => ({
    name,
    label: translate(`app.activity.${name}`),
    isSortable: name !== 'user',
    render,
  })
  const columns = [
    column('timestamp', ({ timestamp }) => <Box sx={{ whiteSpace: 'nowrap' }}>{toMomentText(toText(timestamp))}</Box>),
    column('user', personOf),
    column('action', ({ action }) => translate(`app.action.${toText(action)}`, { _: toText(action) })),
    column('collection', ({ collection }) => toNamedLabel(here.model, toText(collection))),
    column('item', (row) => <Item model={here.model} row={row} />),
    column('ip', ({ ip }) => toText(ip)),
  ]
  return (
    <List
      resource={here.resource}
      title={translate('app.menu.activity')}
      sort={{ field: 'id', order: 'DESC' }}
      perPage={50}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      queryOptions={{ meta: { fields } }}
      exporter={false}
      empty={false}
      actions={
        <TopToolbar>
          <FilterButton {...here} />
        </TopToolbar>
      }
    >
      <ItemTable columns={columns} nameOf={({ id }) => String(id)} actions={null} isEditable={false} />
    </List>
  )
}
