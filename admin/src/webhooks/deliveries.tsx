/** What was sent to a webhook, what waits, and what was given up. */
import {
  Alert,
  Box,
  Button,
  Card,
  CardContent,
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
import { useNotify, usePermissions, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toMomentText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import { toNamedLabel } from '../model/texts.ts'
import { failureText } from './failures.ts'

type State = 'pending' | 'delivered' | 'dead'

export type Delivery = {
  readonly id: number
  readonly type: string
  readonly collection: string
  readonly item: string
  readonly state: State
  readonly attempts: number
  readonly last_status: number | null
  readonly last_error: string | null
  readonly created: string
  readonly last_attempt: string | null
  readonly next_attempt: string | null
}

/** The most that the server lists. */
export const mostDeliveries = 1000

const shown = 100

export const readDeliveries = (
  webhook: number | string,
  state: State | 'all',
  limit = mostDeliveries,
): Promise<readonly Delivery[]> =>
  client.webhooks.readDeliveries(String(webhook), {
    limit,
    ...(state !== 'all' && { state }),
  })

export const Deliveries = ({ webhook }: { readonly webhook: string }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const [state, setState] = useState<State | 'all'>('all')
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', webhook, state],
    queryFn: () => readDeliveries(webhook, state, shown),
    staleTime: 0,
  })
  const replay = async (work: Promise<{ readonly replayed?: number }>): Promise<void> => {
    try {
      const { replayed = 1 } = await work
      notify('app.webhooks.replayed', { type: 'info', messageArgs: { smart_count: replayed } })
      await refetch()
    } catch (reason) {
      notify(messageOf(reason), { type: 'error' })
    }
  }
  return (
    <Card sx={{ my: 2 }}>
      <CardContent>
        <Typography component="h2" variant="h6">
          {translate('app.webhooks.deliveries')}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', my: 1 }}>
          <TextField
            select
            label={translate('app.webhooks.state')}
            value={state}
            onChange={({ target }) => setState(target.value as State)}
            sx={{ width: '12rem' }}
          >
            {['all', 'pending', 'delivered', 'dead'].map((each) => (
              <MenuItem key={each} value={each}>
                {translate(`app.webhooks.is_${each}`)}
              </MenuItem>
            ))}
          </TextField>
          <Button onClick={() => void refetch()}>{translate('ra.action.refresh')}</Button>
          <Button variant="outlined" onClick={() => void replay(client.webhooks.replay(webhook))}>
            {translate('app.webhooks.replay_dead')}
          </Button>
        </Box>
        {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
        {data?.length === 0 && <Typography sx={{ py: 2 }}>{translate('app.webhooks.no_deliveries')}</Typography>}
        {data !== undefined && data.length > 0 && (
          <DeliveryTable
            deliveries={data}
            onReplay={({ id }) => void replay(client.webhooks.replayDelivery(String(id)).then(() => ({})))}
          />
        )}
        {data?.length === shown && (
          <Typography variant="body2" sx={{ mt: 1 }}>
            {translate('app.webhooks.only', { shown })}
          </Typography>
        )}
      </CardContent>
    </Card>
  )
}

const time = (text: string | null): string => (text === null ? '–' : toMomentText(text))

/** By the status where the receiver answered. */
function failureOf({ last_status, last_error }: Delivery, translate: ReturnType<typeof useTranslate>): string {
  if (last_error !== null) return failureText(last_error, translate)
  return last_status === null ? '' : String(last_status)
}

type TableProps = { readonly deliveries: readonly Delivery[]; readonly onReplay: (delivery: Delivery) => void }

const DeliveryTable = ({ deliveries, onReplay }: TableProps) => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  if (model === undefined) return null
  return (
    <Box sx={{ overflowX: 'auto' }} role="region" tabIndex={0} aria-label={translate('app.webhooks.deliveries')}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {['change', 'state', 'attempts', 'last_attempt', 'next_attempt'].map((column) => (
              <TableCell key={column}>{translate(`app.webhooks.${column}`)}</TableCell>
            ))}
            <TableCell>{translate('app.model.actions')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {deliveries.map((each) => {
            const { id, type, collection, item, state, attempts } = each
            const action = translate(`app.action.${type.split('.').at(-1)}`, { _: type })
            const name = `${toNamedLabel(model, collection)} ${item} · ${action}`
            return (
              <TableRow key={id} sx={{ verticalAlign: 'top' }}>
                <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere', minWidth: '9rem' }}>
                  {name}
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {time(each.created)}
                  </Typography>
                </TableCell>
                <TableCell sx={{ whiteSpace: 'nowrap' }}>{translate(`app.webhooks.is_${state}`)}</TableCell>
                <TableCell>{attempts}</TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere', minWidth: '13rem' }}>
                  {time(each.last_attempt)}
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {failureOf(each, translate)}
                  </Typography>
                </TableCell>
                <TableCell>{time(each.next_attempt)}</TableCell>
                <TableCell>
                  {state !== 'pending' && (
                    <Button
                      size="small"
                      aria-label={translate('app.webhooks.replay_named', { name })}
                      onClick={() => onReplay(each)}
                    >
                      {translate('app.webhooks.replay')}
                    </Button>
                  )}
                </TableCell>
              </TableRow>
            )
          })}
        </TableBody>
      </Table>
    </Box>
  )
}
