/** Which clients still use the version 8 API, and what takes the place of each operation. */
import {
  Alert,
  Box,
  Card,
  CardContent,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { Title, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toCountText, toMomentText } from '../model/dates.ts'
import { ImportReportCard } from './import-report.tsx'

type Use = {
  readonly client: string
  readonly operation: string
  readonly access: string
  readonly path: string
  readonly calls: number
  readonly last_call: string
  readonly called: string | null
  readonly successors: readonly { readonly id: string; readonly method: string; readonly path: string }[]
  readonly changes: string | null
}

/** Enough for every field of every client that a server counts. */
const limit = 50_000

const readUses = async (): Promise<readonly Use[]> => {
  const operation = { method: 'GET', path: '/usage' }
  const query = { generation: 'legacy', limit }
  return (await client.request<{ readonly data: readonly Use[] }>(operation, { query })).data
}

export const MovingOnPage = () => {
  const translate = useTranslate()
  const { data, error } = useQuery({ queryKey: ['usage', 'legacy'], queryFn: readUses })
  const byClient = [...Map.groupBy(data ?? [], (each) => each.client)]
  return (
    <Box sx={{ py: 2 }}>
      <Title title="app.menu.moving_on" />
      <Typography sx={{ mb: 2, maxWidth: '60rem' }}>{translate('app.moving_on.intro')}</Typography>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      {data !== undefined && byClient.length === 0 && (
        <Alert severity="success">{translate('app.moving_on.nothing')}</Alert>
      )}
      {byClient.map(([name, uses]) => (
        <ClientCard key={name} name={name} uses={uses} />
      ))}
      <ImportReportCard />
    </Box>
  )
}

type ClientCardProps = { readonly name: string; readonly uses: readonly Use[] }

const ClientCard = ({ name, uses }: ClientCardProps) => {
  const translate = useTranslate()
  const byOperation = [...Map.groupBy(uses, ({ operation }) => operation)]
  const last =
    uses
      .map((each) => each.last_call)
      .toSorted()
      .at(-1) ?? ''
  return (
    <Card sx={{ mb: 2 }}>
      <CardContent>
        <Typography variant="h6" component="h2">
          {name}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {translate('app.moving_on.last_call', { time: toMomentText(last) })}
        </Typography>
        <TableContainer tabIndex={0} role="region" aria-label={translate('app.moving_on.operations_of', { name })}>
          <Table size="small">
            <TableHead>
              <TableRow>
                {['operation', 'calls', 'fields', 'successor'].map((column) => (
                  <TableCell key={column}>{translate(`app.moving_on.${column}`)}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {byOperation.map(([operation, own]) => (
                <OperationRow key={operation} operation={operation} uses={own} />
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      </CardContent>
    </Card>
  )
}

type OperationRowProps = { readonly operation: string; readonly uses: readonly Use[] }

const OperationRow = ({ operation, uses }: OperationRowProps) => {
  const translate = useTranslate()
  const [first] = uses
  const calls = uses.find(({ access }) => access === 'call')?.calls ?? 0
  const paths = [...new Set(uses.map(({ path }) => path))].filter((path) => path.includes('.')).toSorted()
  return (
    <TableRow sx={{ verticalAlign: 'top' }}>
      <TableCell component="th" scope="row">
        {first?.called ?? operation}
      </TableCell>
      <TableCell>{toCountText(calls)}</TableCell>
      <TableCell>{paths.length === 0 ? '–' : paths.join(', ')}</TableCell>
      <TableCell>
        {first?.successors.map(({ id, method, path }) => (
          <Typography key={id} variant="body2" component="div" sx={{ fontFamily: 'monospace' }}>
            {`${method} ${path}`}
          </Typography>
        ))}
        {first?.successors.length === 0 && translate('app.moving_on.no_successor')}
        {first?.changes?.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}
      </TableCell>
    </TableRow>
  )
}
