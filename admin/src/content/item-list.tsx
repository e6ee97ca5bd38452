/** The items of a collection. */
import { CreateButton, List, Pagination, SearchInput, TopToolbar, useTranslate } from 'react-admin'
import type { Row } from '../client.ts'
import { hasRight } from '../model/model.ts'
import { columnFields, templateFields, toFieldLabel, toItemText, toLabel } from '../model/texts.ts'
import { ArchiveSelect, archiveFilter, useArchive } from './archive.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { Cell, ColumnChooser, columnsOf, useColumns } from './columns.tsx'
import { FilterButton } from './filter-button.tsx'
import { type Column, ItemTable } from './item-table.tsx'
import { PresetsButton } from './presets.tsx'
import { TransferButton } from './transfer.tsx'
import { type Here, useCollection } from './use-collection.ts'

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
    <List
      resource={resource}
      title={toLabel(collection)}
      filters={[<SearchInput key="q" source="q" alwaysOn />]}
      filter={archiveFilter(collection, archive)}
      sort={{ field: sorted ?? collection.key ?? columns[0] ?? 'id', order: sorted ? 'ASC' : 'DESC' }}
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[10, 25, 50, 100, 500]} />}
      queryOptions={{ meta: { fields } }}
      exporter={false}
      empty={false}
      actions={
        <TopToolbar sx={{ flexWrap: 'wrap', justifyContent: 'flex-end', gap: 0.5, minHeight: 0 }}>
          <FilterButton {...here} />
          <ArchiveSelect collection={collection} value={archive} onChange={setArchive} />
          <ColumnChooser collection={collection} columns={columns} onChange={setColumns} />
          <PresetsButton collection={collection} model={model} columns={columns} onColumns={setColumns} />
          <TransferButton collection={collection} columns={columns} />
          {hasRight(collection, 'create') && <CreateButton variant="contained" label={translate('ra.action.create')} />}
        </TopToolbar>
      }
    >
      <Rows {...here} columns={columns} />
    </List>
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
