/** The tables of the report of an import: those that are not whole at first, with the rows that were refused. */
import { Box, Chip, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material'
import { Fragment, useState } from 'react'
import { useTranslate } from 'react-admin'
import { toCountText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import type { ReportedTable } from './read-report.ts'
import { LongList, RecordLink, ReportPart, ShowAll } from './report-parts.tsx'

type Props = { readonly model: Model; readonly tables: readonly ReportedTable[] }

const columns = ['source', 'here', 'created', 'updated', 'differing', 'refused'] as const

/** Columns that a narrow window has no room for. */
const wide = { display: { xs: 'none', sm: 'table-cell' } }
const widths: { readonly [column: string]: object } = { created: wide, updated: wide }

export const ReportTables = ({ model, tables }: Props) => {
  const translate = useTranslate()
  const [showsAll, setShowsAll] = useState(false)
  const faulty = tables.filter(({ isWhole }) => !isWhole)
  const shown = showsAll ? tables : faulty
  const rows = tables.reduce((sum, { here }) => sum + here, 0)
  return (
    <>
      <RefusedRows model={model} tables={faulty} />
      <ReportPart name="tables" count={tables.length}>
        {faulty.length === 0 && (
          <Typography>{translate('app.import.all_rows', { count: toCountText(rows) })}</Typography>
        )}
        {shown.length > 0 && <Counts model={model} tables={shown} />}
        {!showsAll && shown.length < tables.length && (
          <ShowAll count={tables.length} onClick={() => setShowsAll(true)} />
        )}
      </ReportPart>
    </>
  )
}

const RefusedRows = ({ model, tables }: Props) => {
  const refused = tables.flatMap(({ table, collection, refused: rows }) =>
    rows.map((row) => ({ ...row, table, collection })),
  )
  return (
    <ReportPart name="refused_rows" count={refused.length}>
      <LongList>
        {refused.map(({ table, collection, key, reason }) => (
          <Box component="li" key={`${table} ${key} ${reason}`}>
            <RecordLink model={model} collection={collection}>
              {table}
            </RecordLink>
            {` ${key}: ${reason}`}
          </Box>
        ))}
      </LongList>
    </ReportPart>
  )
}

const Counts = ({ model, tables }: Props) => {
  const translate = useTranslate()
  return (
    <Box sx={{ overflowX: 'auto' }} role="region" tabIndex={0} aria-label={translate('app.import.tables')}>
      <Table size="small" sx={{ '& th, & td': { px: { xs: 0.5, sm: 2 } } }}>
        <TableHead>
          <TableRow>
            <TableCell>{translate('app.import.table')}</TableCell>
            {columns.map((column) => (
              <TableCell key={column} align="right" sx={widths[column] ?? {}}>
                {translate(`app.import.${column}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {tables.map((each) => (
            <TableRow key={each.table}>
              <TableCell component="th" scope="row">
                <RecordLink model={model} collection={each.collection}>
                  {each.table.split(/(?<=_)/).map((part, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the parts stay in their order
                    <Fragment key={at}>
                      {part}
                      <wbr />
                    </Fragment>
                  ))}
                </RecordLink>{' '}
                {!each.isWhole && <Chip size="small" label={translate('app.import.look')} />}
              </TableCell>
              {columns.map((column) => (
                <TableCell key={column} align="right" sx={widths[column] ?? {}}>
                  {toCountText(column === 'refused' ? each.refused.length : each[column])}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  )
}
