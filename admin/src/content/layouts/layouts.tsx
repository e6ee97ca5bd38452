/** How a list shows its items: as a table, as cards, on a board with a column for each choice of a field, or by days. */
import { MenuItem, TextField } from '@mui/material'
import { useStore, useTranslate } from 'react-admin'
import { choicesOf, kindOf } from '../../inputs/kinds.ts'
import { columnsOf } from '../../inputs/shown.ts'
import { dayTypes } from '../../model/calendar.ts'
import type { Collection, Field, Model } from '../../model/model.ts'
import { columnFields } from '../../model/texts.ts'

const layouts = ['tabular', 'cards', 'board', 'calendar'] as const
export type ListLayout = (typeof layouts)[number]

/** Presets name the layout; those of other applications are shown as tables. */
export const toLayout = (name: string | null | undefined): ListLayout =>
  layouts.find((each) => each === name) ?? 'tabular'

export function useLayout({ name }: Collection) {
  const [layout, setLayout] = useStore<ListLayout>(`layout.${name}`, 'tabular')
  return { layout: toLayout(layout), setLayout }
}

/** The field whose picture a card shows, if there is one. */
export const pictureOf = (model: Model, collection: Collection): Field | undefined =>
  columnsOf(collection).find((field) => kindOf(model, field) === 'image')

/** The field whose choices are the columns of a board: that of the archive, or the first one with choices. */
export function boardField(model: Model, collection: Collection): Field | undefined {
  const fields = columnsOf(collection).filter(
    (field) => choicesOf(field).length > 0 && kindOf(model, field) === 'select',
  )
  return fields.find(({ field }) => field === collection.meta.archive_field) ?? fields[0]
}

const ofServer = new Set(['date-created', 'date-updated'])

const isWritten = ({ meta }: Field): number => (meta?.special?.some((each) => ofServer.has(each)) ? 1 : 0)

/** Fields with days, those that the server writes last. */
export function dayFields(collection: Collection): readonly Field[] {
  return columnsOf(collection)
    .filter(({ type }) => dayTypes.some((each) => each === type))
    .toSorted((a, b) => isWritten(a) - isWritten(b))
}

/** The field of the calendar: the one that was chosen in this browser, or the first. */
export function useDayField(collection: Collection) {
  const [chosen, setDayField] = useStore<string | null>(`calendar.${collection.name}`, null)
  const fields = dayFields(collection)
  return { dayField: fields.find(({ field }) => field === chosen) ?? fields[0], setDayField }
}

/** What a layout reads beside the columns. */
export function layoutFields(model: Model, collection: Collection, layout: ListLayout): readonly string[] {
  const field =
    layout === 'cards' ? pictureOf(model, collection) : layout === 'board' ? boardField(model, collection) : undefined
  return field === undefined ? [] : columnFields(model, collection, field.field)
}

type Props = {
  readonly model: Model
  readonly collection: Collection
  readonly value: ListLayout
  readonly onChange: (layout: ListLayout) => void
}

export const LayoutSelect = ({ model, collection, value, onChange }: Props) => {
  const translate = useTranslate()
  const isPossible = (each: ListLayout): boolean => {
    if (each === 'calendar') return dayFields(collection).length > 0
    return each !== 'board' || boardField(model, collection) !== undefined
  }
  return (
    <TextField
      select
      margin="none"
      fullWidth={false}
      value={value}
      onChange={({ target }) => onChange(toLayout(target.value))}
      slotProps={{ htmlInput: { 'aria-label': translate('app.layout.label') } }}
    >
      {layouts.filter(isPossible).map((each) => (
        <MenuItem key={each} value={each}>
          {translate(`app.layout.${each}`)}
        </MenuItem>
      ))}
    </TextField>
  )
}
