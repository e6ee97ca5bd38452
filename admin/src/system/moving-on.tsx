/** Which clients still use the version 8 API, and what takes the place of each operation. */
import { Alert, Box, Card, CardContent, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { Title, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toCountText, toMomentText } from '../model/dates.ts'
import { ImportReportCard } from './import-report.tsx'
import { type Operation, type Program, programsOf, type Use } from './uses.ts'

/** Enough for every field of every client that a server counts. */
const limit = 50_000

const readPrograms = async (): Promise<readonly Program[]> => {
  const operation = { method: 'GET', path: '/usage' }
  const query = { generation: 'legacy', limit }
  return programsOf((await client.request<{ readonly data: readonly Use[] }>(operation, { query })).data)
}

export const MovingOnPage = () => {
  const translate = useTranslate()
  const { data, error } = useQuery({ queryKey: ['usage', 'legacy'], queryFn: readPrograms })
  return (
    <Box sx={{ py: 2 }}>
      <Title title="app.menu.moving_on" />
      <Typography sx={{ mb: 2, maxWidth: '60rem' }}>{translate('app.moving_on.intro')}</Typography>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      {data?.length === 0 && <Alert severity="success">{translate('app.moving_on.nothing')}</Alert>}
      {data?.map((program) => (
        <ProgramCard key={program.name} program={program} />
      ))}
      <ImportReportCard />
    </Box>
  )
}

const ProgramCard = ({ program }: { readonly program: Program }) => {
  const translate = useTranslate()
  const { name, versions, lastCall, operations } = program
  const facts = [
    ...(versions.length === 0 ? [] : [`${translate('app.moving_on.versions')}: ${versions.join(', ')}`]),
    translate('app.moving_on.last_call', { time: toMomentText(lastCall) }),
  ]
  return (
    <Card sx={{ mb: 2 }}>
      <CardContent>
        <Typography variant="h6" component="h2" sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {facts.join(' · ')}
        </Typography>
        <Box
          component="ul"
          aria-label={translate('app.moving_on.operations_of', { name })}
          sx={{ listStyle: 'none', p: 0, m: 0 }}
        >
          {operations.map((operation) => (
            <OperationItem key={operation.name} operation={operation} isOneOf={versions.length} />
          ))}
        </Box>
      </CardContent>
    </Card>
  )
}

const item = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 3fr)' },
  columnGap: 3,
  rowGap: 0.5,
  py: 1,
  borderTop: 1,
  borderColor: 'divider',
  overflowWrap: 'anywhere',
} as const

type ItemProps = { readonly operation: Operation; readonly isOneOf: number }

/** `isOneOf`: so many versions the program has. */
const OperationItem = ({ operation, isOneOf }: ItemProps) => {
  const translate = useTranslate()
  const { name, calls, versions, fields, successors, changes } = operation
  const facts = [
    `${translate('app.moving_on.calls')}: ${toCountText(calls)}`,
    ...(versions.length < isOneOf ? [`${translate('app.moving_on.versions')}: ${versions.join(', ')}`] : []),
    ...(fields.length === 0 ? [] : [`${translate('app.moving_on.fields')}: ${fields.join(', ')}`]),
  ]
  return (
    <Box component="li" sx={item}>
      <div>
        <Typography variant="body2" component="h3" sx={{ fontWeight: 600 }}>
          {name}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {facts.join(' · ')}
        </Typography>
      </div>
      <Typography variant="body2" component="div">
        {successors.length === 0
          ? translate('app.moving_on.no_successor')
          : `${translate('app.moving_on.successor')}: `}
        {successors.map(({ id, method, path }) => (
          <div key={id}>
            <code>{`${method} ${path}`}</code>
          </div>
        ))}
        {changes?.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}
      </Typography>
    </Box>
  )
}
