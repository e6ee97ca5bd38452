/** The items of a collection. */
import AddIcon from '@mui/icons-material/Add'
import { Button } from '@mui/material'
import { ListBase, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import type { Row } from '../client.ts'
import { columnsOf } from '../inputs/shown.ts'
import { later } from '../lazy.tsx'
import { hasRight } from '../model/model.ts'
import { columnFields, templateFields, toFieldLabel, toItemText, toLabel } from '../model/texts.ts'
import { ArchiveSelect, archiveFilter, useArchive } from './archive.tsx'
import { Cell, ColumnChooser, useColumns } from './columns.tsx'
import { FilterButton } from './filter-button.tsx'
import { type Column, ItemTable } from './item-table.tsx'
import { ListFrame } from './list-frame.tsx'
import { PresetsButton } from './presets-button.tsx'
import { TransferButton } from './transfer.tsx'
import { type Here, useCollection } from './use-collection.ts'

const BulkActions = later(() => import('./bulk-actions.tsx'), 'BulkActions')

export const ItemList = () => {
  const here = useCollection()
  // Another collection is another list, with columns and a filter of its own.
  return here === null ? null : <CollectionList key={here.resource} {...here} />
}

const CollectionList = (here: Here) => {
  const { model, collection, resource } = here
  const translate = useTranslate()
  const { columns, setColumns } = useColumns(model, collection)
  const [archive, setArchive] = useArchive(collection)
  const fields = [
    ...new Set([...templateFields(collection), ...columns.flatMap((name) => columnFields(model, collection, name))]),
  ]
  const { sort_field: sorted } = collection.meta
  return (
    <ListBase
      resource={resource}
      filter={archiveFilter(collection, archive)}
      sort={{ field: sorted ?? collection.key ?? columns[0] ?? 'id', order: sorted ? 'ASC' : 'DESC' }}
      perPage={25}
      queryOptions={{ meta: { fields } }}
      exporter={false}
    >
      <ListFrame
        title={toLabel(collection)}
        actions={
          <>
            <FilterButton {...here} />
            <ArchiveSelect collection={collection} value={archive} onChange={setArchive} />
            <ColumnChooser collection={collection} columns={columns} onChange={setColumns} />
            <PresetsButton collection={collection} model={model} columns={columns} onColumns={setColumns} />
            <TransferButton collection={collection} columns={columns} />
            {hasRight(collection, 'create') && (
              <Button
                component={Link}
                to={`/${resource}/create`}
                size="small"
                variant="contained"
                startIcon={<AddIcon />}
              >
                {translate('ra.action.create')}
              </Button>
            )}
          </>
        }
      >
        <Rows {...here} columns={columns} />
      </ListFrame>
    </ListBase>
  )
}

const Rows = ({ model, collection, columns }: Here & { readonly columns: readonly string[] }) => {
  const isEditable = collection.key !== null
  const shown = columns.flatMap((name): readonly Column[] => {
    const field = columnsOf(collection).find((each) => each.field === name)
    if (field === undefined) return []
    const render = (row: Row) => <Cell model={model} field={field} value={row[name]} />
    return [{ name, label: toFieldLabel(field), isSortable: field.type !== 'json', render }]
  })
  return (
    <ItemTable
      columns={shown}
      nameOf={(row) => toItemText(collection, row)}
      isEditable={isEditable}
      actions={isEditable ? <BulkActions model={model} collection={collection} /> : null}
    />
  )
}
