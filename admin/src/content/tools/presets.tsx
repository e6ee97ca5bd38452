/** Saved lists: filter, search, order and columns under a name, kept on the server. */

import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  IconButton,
  ListItemText,
  Menu,
  MenuItem,
  Stack,
  TextField,
} from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useListContext, useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../../api/errors.ts'
import { client } from '../../client.ts'
import type { Collection, Model } from '../../model/model.ts'
import { toText } from '../../model/to-text.ts'
import type { Widths } from '../layouts/item-table.tsx'
import { type ListLayout, toLayout } from '../layouts/layouts.tsx'

type Stored = {
  readonly id: number
  readonly bookmark: string
  readonly user: string | null
  readonly search: string | null
  readonly filter: object | null
  readonly layout: string | null
  readonly layout_query: {
    readonly tabular?: {
      readonly fields?: readonly string[]
      readonly sort?: readonly string[]
      readonly limit?: number
    }
  } | null
  readonly layout_options: {
    readonly tabular?: { readonly widths?: Widths }
    readonly calendar?: { readonly startDateField?: string }
  } | null
}

/** How a list looks, beside what it asks for. */
type Look = {
  readonly columns: readonly string[]
  readonly widths: Widths
  readonly layout: ListLayout
  /** The field of the calendar. */
  readonly day: string | undefined
}

type Props = {
  readonly model: Model
  readonly collection: Collection
  readonly look: Look
  readonly onLook: (look: Look) => void
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

const readStored = async (collection: string): Promise<readonly Stored[]> =>
  (await client.presets.read({
    fields: ['id', 'bookmark', 'user', 'search', 'filter', 'layout', 'layout_query', 'layout_options'],
    filter: { collection: { _eq: collection }, bookmark: { _nnull: true } },
    sort: ['bookmark'],
    limit: 100,
  })) as unknown as readonly Stored[]

export const Presets = ({ model, collection, look, onLook, anchor, onClose }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const { filterValues, setFilters, sort, setSort, perPage, setPerPage } = useListContext()
  const [isNaming, setIsNaming] = useState(false)
  const fail = (error: unknown): void => notify(messageOf(error), { type: 'error' })
  const { data: stored = [], refetch } = useQuery({
    queryKey: ['presets', collection.name],
    queryFn: () => readStored(collection.name),
    staleTime: 0,
  })
  const apply = ({ search, filter, layout, layout_query, layout_options }: Stored): void => {
    const { fields = [], sort: [by] = [], limit } = layout_query?.tabular ?? {}
    const { tabular, calendar } = layout_options ?? {}
    setFilters({ ...(search && { q: search }), ...(filter && { where: filter }) }, {})
    if (by !== undefined) setSort({ field: by.replace(/^-/, ''), order: by.startsWith('-') ? 'DESC' : 'ASC' })
    if (limit !== undefined) setPerPage(limit)
    onLook({ columns: fields, widths: tabular?.widths ?? {}, layout: toLayout(layout), day: calendar?.startDateField })
    onClose()
  }
  const save = async (bookmark: string): Promise<void> => {
    const { q, where } = filterValues as { q?: string; where?: object }
    const tabular = { fields: look.columns, sort: [`${sort.order === 'DESC' ? '-' : ''}${sort.field}`], limit: perPage }
    const body = {
      bookmark,
      collection: collection.name,
      user: model.me.id,
      search: q ?? null,
      filter: where ?? null,
      layout: look.layout,
      layout_query: { tabular },
      layout_options: { tabular: { widths: look.widths }, ...(look.day && { calendar: { startDateField: look.day } }) },
    }
    await client.presets.create(body as never)
    onClose()
    notify('app.presets.saved', { type: 'info' })
  }
  const remove = async ({ id }: Stored): Promise<void> => {
    await client.presets.delete(id)
    await refetch()
  }
  return (
    <>
      <Menu open={!isNaming} anchorEl={anchor} onClose={onClose}>
        {stored.map((each) => (
          <MenuItem key={each.id} onClick={() => apply(each)} sx={{ maxWidth: '22rem' }}>
            <ListItemText slotProps={{ primary: { noWrap: true } }}>{each.bookmark}</ListItemText>
          </MenuItem>
        ))}
        <MenuItem onClick={() => setIsNaming(true)}>{translate('app.presets.manage')}</MenuItem>
      </Menu>
      {isNaming && (
        <PresetDialog
          stored={stored.filter(({ user }) => user === model.me.id || model.isAdmin)}
          onSave={(name) => void save(name).catch(fail)}
          onRemove={(each) => void remove(each).catch(fail)}
          onClose={onClose}
        />
      )}
    </>
  )
}

type DialogProps = {
  readonly stored: readonly Stored[]
  readonly onSave: (name: string) => void
  readonly onRemove: (stored: Stored) => void
  readonly onClose: () => void
}

const PresetDialog = ({ stored, onSave, onRemove, onClose }: DialogProps) => {
  const translate = useTranslate()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const name = toText(new FormData(event.currentTarget).get('name')).trim()
    if (name !== '') onSave(name)
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="preset-title">
      <form onSubmit={submit}>
        <DialogTitle id="preset-title">{translate('app.presets.manage')}</DialogTitle>
        <DialogContent>
          <TextField name="name" label={translate('app.presets.name')} required autoFocus />
          {stored.map((each) => (
            <Stack key={each.id} direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
              <span>{each.bookmark}</span>
              <IconButton
                aria-label={translate('app.presets.remove', { name: each.bookmark })}
                onClick={() => onRemove(each)}
              >
                <DeleteIcon />
              </IconButton>
            </Stack>
          ))}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.presets.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
