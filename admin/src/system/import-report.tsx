/** The report of an import, read from the file that the command writes. Nothing of it is sent anywhere. */
import {
  Alert,
  Box,
  Button,
  Card,
  CardContent,
  Chip,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { toCountText } from '../model/dates.ts'
import { type ImportReport, readReport } from './read-report.ts'

export const ImportReportCard = () => {
  const translate = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  const [report, setReport] = useState<ImportReport | 'unreadable' | null>(null)
  return (
    <Card sx={{ mt: 3 }}>
      <CardContent>
        <Typography component="h2" variant="h6">
          {translate('app.import.title')}
        </Typography>
        <Typography sx={{ my: 1, maxWidth: '60rem' }}>{translate('app.import.intro')}</Typography>
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
            if (file !== undefined) void file.text().then((text) => setReport(readReport(text) ?? 'unreadable'))
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
  const { source, isComplete, tables, notes } = report
  return (
    <Box sx={{ mt: 2 }}>
      <Alert severity={isComplete ? 'success' : 'warning'}>
        {translate(isComplete ? 'app.import.complete' : 'app.import.incomplete', { source })}
      </Alert>
      <Box sx={{ overflowX: 'auto', mt: 1 }} role="region" tabIndex={0} aria-label={translate('app.import.title')}>
        <Table size="small">
          <TableHead>
            <TableRow>
              {['table', 'source', 'here', 'created', 'updated', 'differing', 'refused'].map((column) => (
                <TableCell key={column}>{translate(`app.import.${column}`)}</TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {tables.map((each) => (
              <TableRow key={each.table}>
                <TableCell component="th" scope="row">
                  {each.table} {!each.isWhole && <Chip size="small" label={translate('app.import.look')} />}
                </TableCell>
                {[each.source, each.here, each.created, each.updated, each.differing, each.refused].map((count, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay in their order
                  <TableCell key={at}>{toCountText(count)}</TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      {notes.length > 0 && (
        <Box component="ul" sx={{ pl: 2.5 }}>
          {notes.map((note) => (
            <Box component="li" key={note} sx={{ overflowWrap: 'anywhere' }}>
              {note}
            </Box>
          ))}
        </Box>
      )}
    </Box>
  )
}
