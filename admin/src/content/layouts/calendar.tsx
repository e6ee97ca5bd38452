/** The items of a list by the days of a month. */
import PreviousIcon from '@mui/icons-material/ChevronLeftOutlined'
import NextIcon from '@mui/icons-material/ChevronRightOutlined'
import { Alert, Box, Button, IconButton, MenuItem, Stack, TextField, Typography, useMediaQuery } from '@mui/material'
import { useState } from 'react'
import { ListContextProvider, type RaRecord, useListContext, useListController, useTranslate } from 'react-admin'
import type { ListFilter } from '../../api/data-provider.ts'
import { messageOf } from '../../api/errors.ts'
import { beginOf, type DayType, firstDayOf, weeksOf } from '../../model/calendar.ts'
import { placeLanguage } from '../../model/dates.ts'
import type { Field } from '../../model/model.ts'
import { toName } from '../../model/names.ts'
import { templateFields, toFieldLabel } from '../../model/texts.ts'
import { useLiveList } from '../live-list.tsx'
import type { Here } from '../use-collection.ts'
import { CalendarDays } from './calendar-days.tsx'

type Props = Here & {
  /** The fields with days, and the one that counts. */
  readonly fields: readonly Field[]
  readonly field: Field
  readonly onField: (field: string) => void
}

/** The most items of a month that are shown. */
const most = 500

export const Calendar = ({ fields, field, onField, ...here }: Props) => {
  const { collection, resource } = here
  const language = placeLanguage()
  const [month, setMonth] = useState(() => new Date())
  const { filter = {}, filterValues = {} } = useListContext()
  const weeks = weeksOf(month, firstDayOf(language))
  const list = useListController<RaRecord>({
    resource,
    filter: inSpan({ ...(filter as ListFilter), ...(filterValues as ListFilter) }, field, weeks),
    sort: { field: field.field, order: 'ASC' },
    perPage: most,
    storeKey: false,
    disableSyncWithLocation: true,
    exporter: false,
    queryOptions: { meta: { fields: [...templateFields(collection), toName(field.field)] }, onError: () => {} },
  })
  return (
    <ListContextProvider value={list}>
      <Bar {...{ fields, field, onField, month, language }} onMonth={setMonth} />
      {list.error ? (
        <Alert severity="error">{messageOf(list.error)}</Alert>
      ) : (
        <Month {...here} {...{ field, month, weeks, language }} isEditable={collection.key !== null} />
      )}
    </ListContextProvider>
  )
}

/** What the list asks for, on the days of the weeks. */
function inSpan(list: ListFilter, { field, type }: Field, weeks: readonly (readonly Date[])[]): ListFilter {
  const [[first = new Date()] = [], last = new Date()] = [weeks[0], weeks.at(-1)?.at(-1)]
  const end = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1)
  const [from, to] = [first, end].map((day) => beginOf(type as DayType, day))
  const days = { [field]: { _gte: from, _lt: to } }
  return { ...list, and: list.and === undefined ? days : { _and: [list.and, days] } }
}

type MonthProps = Omit<Props, 'fields' | 'onField'> & {
  readonly month: Date
  readonly weeks: readonly (readonly Date[])[]
  readonly language: string
  readonly isEditable: boolean
}

const Month = ({ model, collection, ...days }: MonthProps) => {
  const translate = useTranslate()
  const { total = 0 } = useListContext()
  const { isNew, note } = useLiveList(model, collection)
  const isNarrow = useMediaQuery<{ breakpoints: { down: (key: string) => string } }>((theme) =>
    theme.breakpoints.down('md'),
  )
  return (
    <>
      {note}
      {total > most && <Alert severity="info">{translate('app.calendar.most', { most, total })}</Alert>}
      <CalendarDays {...days} {...{ collection, isNew, isNarrow }} />
    </>
  )
}

type BarProps = Pick<Props, 'fields' | 'field' | 'onField'> & {
  readonly month: Date
  readonly language: string
  readonly onMonth: (month: Date) => void
}

const Bar = ({ fields, field, onField, month, language, onMonth }: BarProps) => {
  const translate = useTranslate()
  const title = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' }).format(month)
  const move = (months: number): void => onMonth(new Date(month.getFullYear(), month.getMonth() + months, 1))
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1, p: 1 }}>
      <IconButton size="small" aria-label={translate('app.calendar.previous')} onClick={() => move(-1)}>
        <PreviousIcon />
      </IconButton>
      <IconButton size="small" aria-label={translate('app.calendar.next')} onClick={() => move(1)}>
        <NextIcon />
      </IconButton>
      <Button size="small" variant="outlined" onClick={() => onMonth(new Date())}>
        {translate('app.calendar.today')}
      </Button>
      <Typography component="h2" variant="h6" aria-live="polite" sx={{ flexGrow: 1 }}>
        {title}
      </Typography>
      {fields.length > 1 && (
        <Box sx={{ minWidth: '10rem' }}>
          <TextField
            select
            margin="none"
            label={translate('app.calendar.field')}
            value={field.field}
            onChange={({ target }) => onField(target.value)}
          >
            {fields.map((each) => (
              <MenuItem key={each.field} value={each.field}>
                {toFieldLabel(each)}
              </MenuItem>
            ))}
          </TextField>
        </Box>
      )}
    </Stack>
  )
}
