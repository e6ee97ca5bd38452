/** A one-to-many, many-to-many or many-to-any field: rows that are added, edited, sorted and taken away. */

import AddIcon from '@mui/icons-material/Add'
import DownIcon from '@mui/icons-material/ArrowDownwardOutlined'
import UpIcon from '@mui/icons-material/ArrowUpwardOutlined'
import RemoveIcon from '@mui/icons-material/CloseOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import {
  Alert,
  Autocomplete,
  Box,
  Button,
  Chip,
  FormHelperText,
  FormLabel,
  IconButton,
  List,
  ListItem,
  ListItemText,
  Skeleton,
  Stack,
  TextField,
} from '@mui/material'
import { type DragEvent, type UIEvent, useId, useState } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import { shownKey } from '../../api/changes.ts'
import type { Row } from '../../client.ts'
import { type Collection, hasRight, type Model } from '../../model/model.ts'
import { toResource } from '../../model/names.ts'
import type { ToMany } from '../../model/relations.ts'
import { templateFields, toItemText, toLabel } from '../../model/texts.ts'
import { toText } from '../../model/to-text.ts'
import type { Common } from '../common.ts'
import { isFiles } from '../kinds.ts'
import { AddFiles } from './add-files.tsx'
import { ItemDialog } from './item-dialog.tsx'
import { shownAtMost } from './related-rows.ts'
import { type StagedRow, useStaged } from './staged.ts'

type Props = {
  readonly common: Common
  readonly model: Model
  readonly relation: ToMany
  /** Where uploaded files go, if items of the relation are files; null = no folder. */
  readonly folder: string | null
}

/** The item that a row stands for, and its collection. */
export function itemOf(
  { many, junction }: ToMany,
  row: Row,
): { readonly collection: Collection | null; readonly item: Row } {
  if (junction === null) return { collection: many, item: whole(row) }
  const value = row[junction.field]
  const item = typeof value === 'object' && value !== null ? whole(value as Row) : { id: value }
  const { any, related } = junction
  if (any === null) return { collection: related, item }
  const name = row[any.collectionField]
  return { collection: any.allowed.find((each) => each.name === name) ?? null, item }
}

/** An item with what was read of it when it was linked. */
const whole = ({ [shownKey]: shown, ...row }: Row): Row => ({ ...(shown as Row | undefined), ...row })

/** What kinds of items can be added. */
const targetsOf = ({ many, junction }: ToMany): readonly Collection[] =>
  junction === null ? [many] : (junction.any?.allowed ?? (junction.related === null ? [] : [junction.related]))

export const RelatedList = ({ common, model, relation, folder }: Props) => {
  const translate = useTranslate()
  const staged = useStaged(common.source, relation)
  const [edited, setEdited] = useState<StagedRow | null>(null)
  const [added, setAdded] = useState<Collection | null>(null)
  const labelId = useId()
  const toRow = (target: Collection, item: unknown): Row => {
    const { junction } = relation
    if (junction === null) return item as Row
    return { [junction.field]: item, ...(junction.any !== null && { [junction.any.collectionField]: target.name }) }
  }
  const link = (target: Collection, item: Row): void => {
    if (relation.junction === null) staged.update(item)
    else staged.create(toRow(target, item))
  }
  const change = (values: Row): void => {
    if (edited === null) return
    const { collection } = itemOf(relation, edited.row)
    const keyed = {
      ...values,
      ...(collection?.key &&
        itemOf(relation, edited.row).item[collection.key] !== undefined && {
          [collection.key]: itemOf(relation, edited.row).item[collection.key],
        }),
    }
    const row = collection === null ? {} : toRow(collection, keyed)
    if (edited.key === null) staged.replaceNew(edited.row, { ...edited.row, ...row })
    else staged.update({ ...row, [relation.many.key ?? 'id']: edited.key })
    setEdited(null)
  }
  return (
    <Box role="group" aria-labelledby={labelId} sx={{ my: 1 }}>
      <FormLabel id={labelId} sx={{ display: 'block' }}>
        {common.label}
      </FormLabel>
      {staged.isPending ? (
        <Skeleton height={40} />
      ) : (
        <Rows relation={relation} staged={staged} readOnly={common.readOnly} onEdit={setEdited} />
      )}
      {staged.total > shownAtMost && (
        <Alert severity="info">{translate('app.related.more', { shown: shownAtMost, total: staged.total })}</Alert>
      )}
      {!common.readOnly && (
        <Stack spacing={1}>
          {targetsOf(relation).map((target) => (
            <AddRow
              key={target.name}
              target={target}
              folder={folder}
              onLink={(item) => link(target, item)}
              onNew={() => setAdded(target)}
            />
          ))}
        </Stack>
      )}
      {(common.helperText || staged.fieldState.error) && (
        <FormHelperText error={staged.fieldState.invalid}>
          {staged.fieldState.error?.message ?? common.helperText}
        </FormHelperText>
      )}
      {added !== null && (
        <ItemDialog
          model={model}
          collection={added}
          action="create"
          hidden={relation.junction === null ? relation.manyField : null}
          onClose={() => setAdded(null)}
          onSubmit={(values) => {
            staged.create(toRow(added, values))
            setAdded(null)
          }}
        />
      )}
      {edited !== null && (
        <EditDialog
          model={model}
          relation={relation}
          edited={edited}
          onClose={() => setEdited(null)}
          onSubmit={change}
        />
      )}
    </Box>
  )
}

type EditProps = {
  readonly model: Model
  readonly relation: ToMany
  readonly edited: StagedRow
  readonly onClose: () => void
  readonly onSubmit: (values: Row) => void
}

const EditDialog = ({ model, relation, edited, onClose, onSubmit }: EditProps) => {
  const { collection, item } = itemOf(relation, edited.row)
  if (collection === null) return null
  const key = collection.key === null ? undefined : item[collection.key]
  return (
    <ItemDialog
      model={model}
      collection={collection}
      action={key === undefined ? 'create' : 'update'}
      id={key as string | undefined}
      initial={item}
      hidden={relation.junction === null ? relation.manyField : null}
      onClose={onClose}
      onSubmit={onSubmit}
    />
  )
}

type RowsProps = {
  readonly relation: ToMany
  readonly staged: ReturnType<typeof useStaged>
  readonly readOnly: boolean
  readonly onEdit: (row: StagedRow) => void
}

const Rows = ({ relation, staged, readOnly, onEdit }: RowsProps) => {
  const translate = useTranslate()
  const { rows } = staged
  const [dragged, setDragged] = useState<number | null>(null)
  const { sortField } = relation
  const isSortable = sortField !== null && !readOnly && staged.total <= shownAtMost
  const sorted = isSortable
    ? rows.toSorted((a, b) => Number(a.row[sortField] ?? Infinity) - Number(b.row[sortField] ?? Infinity) || 0)
    : rows
  const move = (from: number, to: number): void => {
    const next = [...sorted]
    next.splice(to, 0, ...next.splice(from, 1))
    if (sortField !== null) staged.reorder(next, sortField)
  }
  if (rows.length === 0) return <Box sx={{ py: 1, color: 'text.secondary' }}>{translate('app.related.none')}</Box>
  return (
    <List dense disablePadding>
      {sorted.map((each, at) => {
        const { collection, item } = itemOf(relation, each.row)
        const text = collection === null ? toText(item['id']) : toItemText(collection, item)
        return (
          <ListItem
            key={each.key ?? `new-${at}`}
            divider
            disableGutters
            {...(isSortable && {
              draggable: true,
              onDragStart: () => setDragged(at),
              onDragEnd: () => setDragged(null),
              onDragOver: (event: DragEvent) => dragged !== null && event.preventDefault(),
              onDrop: () => dragged !== null && move(dragged, at),
            })}
            sx={{ gap: 0.5, ...(isSortable && { cursor: 'grab' }), ...(dragged === at && { opacity: 0.5 }) }}
          >
            <ListItemText slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}>
              {text} {each.state !== 'same' && <Chip size="small" label={translate(`app.related.${each.state}`)} />}
            </ListItemText>
            {isSortable && (
              <>
                <IconButton
                  size="small"
                  disabled={at === 0}
                  aria-label={translate('app.related.up', { name: text })}
                  onClick={() => move(at, at - 1)}
                >
                  <UpIcon fontSize="small" />
                </IconButton>
                <IconButton
                  size="small"
                  disabled={at === sorted.length - 1}
                  aria-label={translate('app.related.down', { name: text })}
                  onClick={() => move(at, at + 1)}
                >
                  <DownIcon fontSize="small" />
                </IconButton>
              </>
            )}
            {!readOnly && collection !== null && hasRight(collection, 'update') && (
              <IconButton
                size="small"
                aria-label={translate('app.related.edit', { name: text })}
                onClick={() => onEdit(each)}
              >
                <EditIcon fontSize="small" />
              </IconButton>
            )}
            {!readOnly && (
              <IconButton
                size="small"
                aria-label={translate('app.related.remove', { name: text })}
                onClick={() => staged.remove(each)}
              >
                <RemoveIcon fontSize="small" />
              </IconButton>
            )}
          </ListItem>
        )
      })}
    </List>
  )
}

type AddProps = {
  readonly target: Collection
  readonly folder: string | null
  readonly onLink: (item: Row) => void
  readonly onNew: () => void
}

const page = 20

const AddRow = ({ target, folder, onLink, onNew }: AddProps) => {
  const translate = useTranslate()
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [perPage, setPerPage] = useState(page)
  const { data = [], total = 0 } = useGetList(
    toResource(target.name),
    {
      filter: { q: text },
      pagination: { page: 1, perPage },
      sort: { field: target.key ?? 'id', order: 'ASC' },
      meta: { fields: templateFields(target) },
    },
    { enabled: isOpen, placeholderData: (previous) => previous },
  )
  const name = toLabel(target)
  /** More of them, once the last ones are in sight. */
  const scrolled = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent): void => {
    if (data.length < total && scrollTop + clientHeight > scrollHeight - 40) setPerPage(data.length + page)
  }
  return (
    <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: { sm: 'center' } }}>
      {hasRight(target, 'read') && (
        <Autocomplete
          sx={{ flex: 1 }}
          options={data as readonly Row[]}
          value={null}
          inputValue={text}
          blurOnSelect
          filterOptions={(options) => options}
          getOptionKey={(row) => String(row['id'])}
          getOptionLabel={(row) => toItemText(target, row)}
          onOpen={() => setIsOpen(true)}
          onInputChange={(_, next, reason) => {
            setText(reason === 'input' ? next : '')
            setPerPage(page)
          }}
          onChange={(_, row) => row !== null && onLink(toLink(target, row))}
          slotProps={{ listbox: { onScroll: scrolled } }}
          noOptionsText={translate('app.related.nothing_found')}
          renderInput={(params) => <TextField {...params} label={translate('app.related.add', { name })} />}
        />
      )}
      {hasRight(target, 'create') && isFiles(target) && (
        <AddFiles folder={folder} onStored={(file) => onLink(toLink(target, file))} />
      )}
      {hasRight(target, 'create') && !isFiles(target) && (
        <Button size="small" startIcon={<AddIcon />} onClick={onNew}>
          {translate('app.related.create', { name })}
        </Button>
      )}
    </Stack>
  )
}

/** The key of an item, and beside it what was read to show it. */
const toLink = ({ key }: Collection, row: Row): Row => ({ [key ?? 'id']: row[key ?? 'id'], [shownKey]: row })
