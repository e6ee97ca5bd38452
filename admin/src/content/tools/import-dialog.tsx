/** A file to import: which column goes into which field, what would happen, and the import. */
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  MenuItem,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify, useRefresh, useTranslate } from 'react-admin'
import { messageOf } from '../../api/errors.ts'
import { rememberWrite } from '../../api/own-writes.ts'
import type { Failure } from '../../api/problem-texts.ts'
import { problemLines } from '../../api/problems.ts'
import { client } from '../../client.ts'
import type { Collection } from '../../model/model.ts'
import { toResource } from '../../model/names.ts'
import { toFieldLabel } from '../../model/texts.ts'
import { columnsOfFile, fieldFor, fieldsOfFiles } from './import-columns.ts'

type Report = Awaited<ReturnType<typeof client.utils.import>>

type Mapping = { readonly [column: string]: string | null }

type Props = { readonly collection: Collection; readonly file: File; readonly onClose: () => void }

/** Files of millions of rows take minutes. */
const timeout = 600_000

export const ImportDialog = ({ collection, file, onClose }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const [changed, setChanged] = useState<Mapping>({})
  const [report, setReport] = useState<Report | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const {
    data: columns = [],
    error,
    isSuccess,
  } = useQuery({
    queryKey: ['columns', file.name, file.size, file.lastModified],
    queryFn: () => columnsOfFile(file),
  })
  const guessed = columns.map((column) => [column, fieldFor(column, fieldsOfFiles(collection))] as const)
  const mapping: Mapping = { ...Object.fromEntries(guessed), ...changed }
  const send = async (dryRun: boolean): Promise<void> => {
    const body = new FormData()
    body.append('columns', JSON.stringify(mapping))
    body.append('file', file)
    setIsBusy(true)
    setProblem(null)
    try {
      const answer = await client.utils.import(collection.name, body, { dryRun }, { timeout })
      if (dryRun) return setReport(answer)
      rememberWrite(toResource(collection.name))
      notify('app.transfer.imported', { type: 'info', messageArgs: { ...answer } })
      refresh()
      onClose()
    } catch (reason) {
      setReport(null)
      setProblem(messageOf(reason))
    } finally {
      setIsBusy(false)
    }
  }
  const choose = (column: string, field: string): void => {
    setReport(null)
    setChanged({ ...changed, [column]: field === '' ? null : field })
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="import-title">
      <DialogTitle id="import-title" sx={{ overflowWrap: 'anywhere' }}>
        {translate('app.transfer.import_named', { name: file.name })}
      </DialogTitle>
      <DialogContent>
        {(error ?? problem) !== null && (
          <Alert severity="error" sx={{ whiteSpace: 'pre-line' }}>
            {error === null ? problem : translate('app.json.invalid')}
          </Alert>
        )}
        {isSuccess && columns.length === 0 && <Alert severity="warning">{translate('app.transfer.empty')}</Alert>}
        <Columns collection={collection} mapping={mapping} onChoose={choose} />
        {report !== null && <Outcome report={report} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button disabled={isBusy || columns.length === 0} onClick={() => void send(true)}>
          {translate('app.transfer.check')}
        </Button>
        <Button
          variant="contained"
          disabled={isBusy || report === null || report.refused > 0}
          onClick={() => void send(false)}
        >
          {translate('app.transfer.do_import')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type ColumnsProps = {
  readonly collection: Collection
  readonly mapping: Mapping
  readonly onChoose: (column: string, field: string) => void
}

const Columns = ({ collection, mapping, onChoose }: ColumnsProps) => {
  const translate = useTranslate()
  const fields = fieldsOfFiles(collection)
  const taken = new Set(Object.values(mapping))
  return (
    <Box sx={{ display: 'grid', columnGap: 2, gridTemplateColumns: { sm: '1fr 1fr' } }}>
      {Object.entries(mapping).map(([column, field]) => (
        <TextField
          key={column}
          select
          label={translate('app.transfer.column', { name: column })}
          value={field ?? ''}
          onChange={({ target }) => onChoose(column, target.value)}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        >
          <MenuItem value="">{translate('app.transfer.leave_out')}</MenuItem>
          {column.includes('.') && <MenuItem value={column}>{column}</MenuItem>}
          {fields.map((each) => (
            <MenuItem key={each.field} value={each.field} disabled={each.field !== field && taken.has(each.field)}>
              {toFieldLabel(each)}
            </MenuItem>
          ))}
        </TextField>
      ))}
    </Box>
  )
}

/** What the row would do is told by its number; a refused one by its messages, too. */
const Outcome = ({ report }: { readonly report: Report }) => {
  const translate = useTranslate()
  return (
    <Box sx={{ mt: 2 }} role="status">
      <Alert severity={report.refused > 0 ? 'warning' : 'success'}>
        {translate('app.transfer.would', { ...report, rows: '' })}
        {report.refused > 0 && ` ${translate('app.transfer.all_or_none')}`}
      </Alert>
      <Table size="small" sx={{ mt: 1 }}>
        <TableHead>
          <TableRow>
            <TableCell>{translate('app.transfer.row')}</TableCell>
            <TableCell>{translate('app.transfer.outcome')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {report.rows.map(({ row, action, errors = [] }) => (
            <TableRow key={row}>
              <TableCell>{row}</TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
                <Typography variant="body2" component="span" color={action === 'refuse' ? 'error' : undefined}>
                  {translate(`app.transfer.${action}`)}
                </Typography>
                {errors.length > 0 && ` ${problemLines({ errors: errors.map(withoutRow) })}`}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  )
}

/** The row has a column of its own. */
function withoutRow(failure: Failure): Failure {
  const { field } = failure.extensions ?? {}
  if (typeof field !== 'string') return failure
  return { ...failure, extensions: { ...failure.extensions, field: field.replace(/^rows\.\d+\.?/, '') } }
}
