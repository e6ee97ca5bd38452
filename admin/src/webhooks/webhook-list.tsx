/** All webhooks: where changes are sent, which receivers fail, and how many deliveries were given up. */
import {
  Alert,
  Box,
  Button,
  Card,
  Chip,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Link as TextLink,
  Typography,
} from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { Title, usePermissions, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toMomentText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import { toNamedLabel } from '../model/texts.ts'
import { mostDeliveries, readDeliveries } from './deliveries.tsx'
import { failureText } from './failures.ts'

type Webhook = {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly status: string
  readonly collections: readonly string[]
  readonly actions: readonly string[]
  readonly failing_since: string | null
  readonly failure: string | null
  readonly dead: number
}

const fields = ['id', 'name', 'url', 'status', 'collections', 'actions', 'failing_since', 'failure'] as const

async function readWebhooks(): Promise<readonly Webhook[]> {
  const rows = (await client.webhooks.read({
    fields: [...fields],
    sort: ['name'],
    limit: 200,
  })) as unknown as readonly Webhook[]
  return Promise.all(rows.map(async (each) => ({ ...each, dead: (await readDeliveries(each.id, 'dead')).length })))
}

export const WebhookList = () => {
  const translate = useTranslate()
  const { data, error } = useQuery({ queryKey: ['webhooks'], queryFn: readWebhooks, staleTime: 0 })
  return (
    <Box sx={{ py: 2 }}>
      <Title title="app.menu.webhooks" />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mb: 2, justifyContent: 'space-between' }}>
        <Typography sx={{ maxWidth: '50rem', flex: '1 1 20rem' }}>{translate('app.webhooks.intro')}</Typography>
        <Button
          component={Link}
          to="/system/webhooks/create"
          variant="contained"
          sx={{ alignSelf: 'flex-start', flexShrink: 0 }}
        >
          {translate('app.webhooks.create')}
        </Button>
      </Box>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      {data?.length === 0 && (
        <Typography sx={{ py: 3, textAlign: 'center' }}>{translate('app.webhooks.none')}</Typography>
      )}
      {data !== undefined && data.length > 0 && <WebhookTable webhooks={data} />}
    </Box>
  )
}

const WebhookTable = ({ webhooks }: { readonly webhooks: readonly Webhook[] }) => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  if (model === undefined) return null
  return (
    <Card sx={{ overflowX: 'auto' }} role="region" tabIndex={0} aria-label={translate('app.menu.webhooks')}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {['name', 'changes', 'state', 'dead'].map((column) => (
              <TableCell key={column}>{translate(`app.webhooks.${column}`)}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {webhooks.map((each) => (
            <TableRow key={each.id} sx={{ verticalAlign: 'top' }}>
              <TableCell component="th" scope="row" sx={{ minWidth: '10rem', overflowWrap: 'anywhere' }}>
                <TextLink component={Link} to={`/system/webhooks/${each.id}`}>
                  {each.name}
                </TextLink>
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {each.url}
                </Typography>
              </TableCell>
              <TableCell sx={{ minWidth: '10rem', overflowWrap: 'anywhere' }}>
                {each.collections.map((name) => toNamedLabel(model, name)).join(', ')}
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {each.actions.map((action) => translate(`app.action.${action}`)).join(', ')}
                </Typography>
              </TableCell>
              <TableCell sx={{ minWidth: '9rem' }}>
                <State {...each} />
              </TableCell>
              <TableCell>{each.dead === mostDeliveries ? `≥ ${each.dead}` : each.dead}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  )
}

const State = ({ status, failing_since, failure }: Webhook) => {
  const translate = useTranslate()
  if (status !== 'active') return <Chip size="small" label={translate('app.webhooks.inactive')} />
  if (failing_since === null)
    return <Chip size="small" color="success" variant="outlined" label={translate('app.webhooks.active')} />
  return (
    <>
      <Chip size="small" color="error" variant="outlined" label={translate('app.webhooks.failing')} />
      <Typography variant="body2" sx={{ mt: 0.5 }}>
        {translate('app.webhooks.since', { time: toMomentText(failing_since) })}
        {failure !== null && ` · ${failureText(failure, translate)}`}
      </Typography>
    </>
  )
}
