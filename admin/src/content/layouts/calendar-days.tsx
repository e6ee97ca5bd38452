/** The days of a month with their items: weeks in a table, or, in a narrow window, the days that have some. */
import { Box, Button, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material'
import { useState } from 'react'
import { type RaRecord, useListContext, useTranslate } from 'react-admin'
import { type DayType, dayOf, toDay } from '../../model/calendar.ts'
import type { Collection, Field } from '../../model/model.ts'
import { toItemText } from '../../model/texts.ts'
import { toText } from '../../model/to-text.ts'
import { EditLink } from './item-table.tsx'

type Props = {
  readonly collection: Collection
  readonly field: Field
  readonly month: Date
  readonly weeks: readonly (readonly Date[])[]
  readonly language: string
  readonly isEditable: boolean
  readonly isNarrow: boolean
  readonly isNew: (row: RaRecord) => boolean
}

export const CalendarDays = ({ weeks, isNarrow, ...props }: Props) => {
  const { field } = props
  const { data = [], isPending } = useListContext<RaRecord>()
  const byDay = Map.groupBy(data, (row) => dayOf(field.type as DayType, row[field.field]))
  const rowsOf = (day: Date): readonly RaRecord[] => byDay.get(toDay(day)) ?? []
  if (isPending) return null
  return isNarrow ? <Agenda {...props} {...{ weeks, rowsOf }} /> : <Weeks {...props} {...{ weeks, rowsOf }} />
}

type DaysProps = Omit<Props, 'isNarrow'> & { readonly rowsOf: (day: Date) => readonly RaRecord[] }

const Weeks = ({ weeks, rowsOf, ...props }: DaysProps) => {
  const translate = useTranslate()
  const { month, language } = props
  const weekday = (day: Date, style: 'short' | 'long'): string =>
    new Intl.DateTimeFormat(language, { weekday: style }).format(day)
  return (
    <Table size="small" aria-label={translate('app.list.table')} sx={{ tableLayout: 'fixed' }}>
      <TableHead>
        <TableRow>
          {weeks[0]?.map((day) => (
            <TableCell key={day.getDay()} abbr={weekday(day, 'long')}>
              {weekday(day, 'short')}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {weeks.map((week) => (
          <TableRow key={toDay(week[0] ?? month)}>
            {week.map((day) => (
              <TableCell
                key={toDay(day)}
                sx={{
                  height: '6.5rem',
                  p: 0.5,
                  verticalAlign: 'top',
                  borderRight: 1,
                  borderColor: 'divider',
                  ...(day.getMonth() !== month.getMonth() && { bgcolor: 'action.hover' }),
                }}
              >
                <DayNumber day={day} />
                <Rows {...props} rows={rowsOf(day)} />
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

const DayNumber = ({ day }: { readonly day: Date }) => {
  const isToday = toDay(day) === toDay(new Date())
  return (
    <Typography
      component="time"
      variant="caption"
      dateTime={toDay(day)}
      {...(isToday && { 'aria-current': 'date' as const })}
      sx={{
        display: 'inline-block',
        minWidth: '1.5rem',
        mb: 0.25,
        borderRadius: 3,
        textAlign: 'center',
        ...(isToday && { bgcolor: 'primary.main', color: 'primary.contrastText', fontWeight: 700 }),
      }}
    >
      {day.getDate()}
    </Typography>
  )
}

const Agenda = ({ weeks, rowsOf, ...props }: DaysProps) => {
  const translate = useTranslate()
  const { month, language } = props
  const days = weeks.flat().filter((day) => day.getMonth() === month.getMonth() && rowsOf(day).length > 0)
  if (days.length === 0) return <Box sx={{ p: 4, textAlign: 'center' }}>{translate('app.calendar.nothing')}</Box>
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' })
  return days.map((day) => (
    <Box key={toDay(day)} component="section" aria-label={name.format(day)} sx={{ px: 2, py: 1 }}>
      <Typography component="h3" variant="subtitle2" sx={{ color: 'text.secondary' }}>
        {name.format(day)}
      </Typography>
      <Rows {...props} rows={rowsOf(day)} />
    </Box>
  ))
}

/** Items of a day that are shown at once. */
const first = 4

type RowsProps = Pick<Props, 'collection' | 'field' | 'language' | 'isEditable' | 'isNew'> & {
  readonly rows: readonly RaRecord[]
}

const Rows = ({ collection, field, language, isEditable, isNew, rows }: RowsProps) => {
  const translate = useTranslate()
  const [isWhole, setIsWhole] = useState(false)
  if (rows.length === 0) return null
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
  const shown = isWhole || rows.length === first + 1 ? rows : rows.slice(0, first)
  return (
    <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
      {shown.map((row) => (
        <Box
          key={row.id}
          component="li"
          sx={{
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            fontSize: '0.8125rem',
            lineHeight: 1.7,
            ...(isNew(row) && { outline: 2, outlineColor: 'primary.main' }),
          }}
          title={toItemText(collection, row)}
        >
          {field.type !== 'date' && (
            <Box component="span" sx={{ color: 'text.secondary', mr: 0.5 }}>
              {time.format(new Date(toText(row[field.field])))}
            </Box>
          )}
          {isEditable ? <EditLink row={row}>{toItemText(collection, row)}</EditLink> : toItemText(collection, row)}
        </Box>
      ))}
      {shown.length < rows.length && (
        <li>
          <Button size="small" onClick={() => setIsWhole(true)}>
            {translate('app.calendar.more', { smart_count: rows.length - shown.length })}
          </Button>
        </li>
      )}
    </Box>
  )
}
