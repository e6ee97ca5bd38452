/** The items of a collection. */
import AddIcon from '@mui/icons-material/Add'
import { Button } from '@mui/material'
import { ListBase, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import type { Row } from '../client.ts'
import { columnsOf, moved } from '../inputs/shown.ts'
import { later } from '../lazy.tsx'
import { hasFieldRight, hasRight } from '../model/model.ts'
import { columnFields, templateFields, toFieldLabel, toItemText, toLabel } from '../model/texts.ts'
import { Cell, ColumnChooser, useColumns, useWidths } from './layouts/columns.tsx'
import type { Column } from './layouts/header-cell.tsx'
import { ItemTable, type Widths } from './layouts/item-table.tsx'
import {
  boardField,
  dayFields,
  LayoutSelect,
  type ListLayout,
  layoutFields,
  pictureOf,
  useDayField,
  useLayout,
} from './layouts/layouts.tsx'
import { ListFrame } from './list-frame.tsx'
import { useLiveList } from './live-list.tsx'
import { ArchiveSelect, archiveFilter, useArchive } from './tools/archive.tsx'
import { FilterButton } from './tools/filter-button.tsx'
import { PresetsButton } from './tools/presets-button.tsx'
import { TransferButton } from './tools/transfer.tsx'
import { type Here, useCollection } from './use-collection.ts'

const Board = later(() => import('./layouts/board.tsx'), 'Board')
const Calendar = later(() => import('./layouts/calendar.tsx'), 'Calendar')
const CardList = later(() => import('./layouts/card-list.tsx'), 'CardList')
const BulkActions = later(() => import('./tools/bulk-actions.tsx'), 'BulkActions')

export const ItemList = () => {
  const here = useCollection()
  // Another collection is another list, with columns and a filter of its own.
  return here === null ? null : <CollectionList key={here.resource} {...here} />
}

const CollectionList = (here: Here) => {
  const { model, collection, resource } = here
  const translate = useTranslate()
  const { columns, setColumns } = useColumns(model, collection)
  const { widths, setWidth, setWidths } = useWidths(collection)
  const { layout, setLayout } = useLayout(collection)
  const { dayField, setDayField } = useDayField(collection)
  const day = layout === 'calendar' ? dayField : undefined
  const [archive, setArchive] = useArchive(collection)
  const fields = [
    ...new Set([
      ...templateFields(collection),
      ...columns.flatMap((name) => columnFields(model, collection, name)),
      ...layoutFields(model, collection, layout),
    ]),
  ]
  const { sort_field: own } = collection.meta
  const sorted = own && hasFieldRight(collection, 'read', own) ? own : null
  return (
    <ListBase
      resource={resource}
      filter={archiveFilter(collection, archive)}
      sort={{ field: sorted ?? collection.key ?? columns[0] ?? 'id', order: sorted ? 'ASC' : 'DESC' }}
      perPage={25}
      queryOptions={{ meta: { fields }, onError: () => {} }}
      exporter={false}
    >
      <ListFrame
        title={toLabel(collection)}
        hasPages={day === undefined}
        actions={
          <>
            <FilterButton {...here} />
            <ArchiveSelect collection={collection} value={archive} onChange={setArchive} />
            <LayoutSelect model={model} collection={collection} value={layout} onChange={setLayout} />
            <ColumnChooser collection={collection} columns={columns} onChange={setColumns} />
            <PresetsButton
              {...{ collection, model }}
              look={{ columns, widths, layout, day: dayField?.field }}
              onLook={(look) => {
                if (look.columns.length > 0) setColumns(look.columns)
                setWidths(look.widths)
                setLayout(look.layout)
                if (look.day !== undefined) setDayField(look.day)
              }}
            />
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
        {day === undefined ? (
          <Rows {...here} {...{ columns, layout, widths }} onColumns={setColumns} onWidth={setWidth} />
        ) : (
          <Calendar {...here} fields={dayFields(collection)} field={day} onField={setDayField} />
        )}
      </ListFrame>
    </ListBase>
  )
}

type RowsProps = Here & {
  readonly columns: readonly string[]
  readonly layout: ListLayout
  readonly onColumns: (columns: readonly string[]) => void
  readonly widths: Widths
  readonly onWidth: (column: string, width?: number) => void
}

const Rows = ({ model, collection, columns, layout, onColumns, widths, onWidth }: RowsProps) => {
  const isEditable = collection.key !== null
  const shown = columns.flatMap((name): readonly Column[] => {
    const field = columnsOf(collection).find((each) => each.field === name)
    if (field === undefined) return []
    const render = (row: Row) => <Cell model={model} field={field} value={row[name]} />
    return [{ name, label: toFieldLabel(field), isSortable: field.type !== 'json', render }]
  })
  const { isNew, note } = useLiveList(model, collection)
  const field = boardField(model, collection)
  const props = {
    columns: shown,
    nameOf: (row: Row) => toItemText(collection, row),
    isEditable,
    actions: isEditable ? <BulkActions model={model} collection={collection} /> : null,
    isNew,
  }
  return (
    <>
      {note}
      {layout === 'cards' ? (
        <CardList {...props} picture={pictureOf(model, collection)} />
      ) : layout === 'board' && field !== undefined ? (
        <Board {...props} collection={collection} field={field} />
      ) : (
        <ItemTable
          {...props}
          {...{ widths, onWidth }}
          onMove={(name, place) => onColumns(moved(columns, name, place))}
        />
      )}
    </>
  )
}
