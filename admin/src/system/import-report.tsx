/** The report of an import, read from the file that the command writes. Nothing of it is sent anywhere. */
import { Alert, Box, Button, Card, CardContent, Link, Typography } from '@mui/material'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { usePermissions, useTranslate } from 'react-admin'
import { toServerUrl } from '../client.ts'
import { toCountText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import { type ImportReport, readReport } from './read-report.ts'
import { LongList, RecordLink, ReportPart } from './report-parts.tsx'
import { ReportTables } from './report-tables.tsx'
import { ReportValues } from './report-values.tsx'

/** Under this key the report stays in memory, for whoever comes back from an item that it names. */
const place = ['import', 'report']

export const ImportReportCard = () => {
  const translate = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  const cache = useQueryClient()
  const { data: report = null } = useQuery<ImportReport | 'unreadable'>({
    queryKey: place,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card sx={{ mt: 3 }}>
      <CardContent>
        <Typography component="h2" variant="h6">
          {translate('app.import.title')}
        </Typography>
        <Typography sx={{ my: 1, maxWidth: '60rem' }}>
          {translate('app.import.intro')}{' '}
          <Link href={toServerUrl('docs/guide/from-version-8')}>{translate('app.import.guide')}</Link>
        </Typography>
        <Typography
          component="code"
          sx={{ display: 'block', mb: 2, overflowWrap: 'anywhere', fontFamily: 'monospace' }}
        >
          tandem import version-8 … --report report.json
        </Typography>
        <Button variant="outlined" onClick={() => input.current?.click()}>
          {translate('app.import.open')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json"
          data-report=""
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file !== undefined)
              void file.text().then((text) => cache.setQueryData(place, readReport(text) ?? 'unreadable'))
            target.value = ''
          }}
        />
        {report === 'unreadable' && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {translate('app.import.unreadable')}
          </Alert>
        )}
        {report !== null && report !== 'unreadable' && <Report report={report} />}
      </CardContent>
    </Card>
  )
}

const Report = ({ report }: { readonly report: ImportReport }) => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  const { tables, missing, values, keys, notes } = report
  if (model === undefined) return null
  return (
    <Box sx={{ mt: 2 }}>
      <Summary report={report} />
      <ReportPart name="missing_files" count={missing.length}>
        <LongList>
          {missing.map(({ number, id, name }) => (
            <Box component="li" key={number}>
              <RecordLink model={model} collection="platform_files" id={id}>
                {name === '' ? number : name}
              </RecordLink>
              {` (${translate('app.import.number', { number })})`}
            </Box>
          ))}
        </LongList>
      </ReportPart>
      <ReportTables model={model} tables={tables} />
      <ReportValues model={model} values={values} />
      <ReportPart name="keys" count={keys.length}>
        <LongList>
          {keys.map(({ table, column, target, fault }) => (
            <Box component="li" key={`${table}.${column}`}>
              <strong>{`${table}.${column} → ${target}`}</strong>
              {`: ${fault}`}
            </Box>
          ))}
        </LongList>
      </ReportPart>
      <ReportPart name="notes" count={notes.length}>
        <LongList>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </LongList>
      </ReportPart>
    </Box>
  )
}

/** What is missing, in numbers. */
const Summary = ({ report: { source, isComplete, tables, missing } }: { readonly report: ImportReport }) => {
  const translate = useTranslate()
  const refused = tables.reduce((sum, each) => sum + each.refused.length, 0)
  const differing = tables.reduce((sum, each) => sum + Math.max(0, each.differing - each.refused.length), 0)
  const lacks = Object.entries({ refused_rows: refused, differing_rows: differing, files: missing.length })
  return (
    <Alert severity={isComplete ? 'success' : 'warning'}>
      {translate(isComplete ? 'app.import.complete' : 'app.import.incomplete', { source })}
      {lacks
        .filter(([, count]) => count > 0)
        .map(([name, count]) => (
          <div key={name}>
            {translate(`app.import.lacks.${name}`, { smart_count: count, count: toCountText(count) })}
          </div>
        ))}
    </Alert>
  )
}
