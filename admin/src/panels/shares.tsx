/** The shares of an item: links by which others read it, without an account. */
import CopyIcon from '@mui/icons-material/ContentCopyOutlined'
import RevokeIcon from '@mui/icons-material/LinkOffOutlined'
import { Alert, Chip, IconButton, List, ListItem, ListItemText, Tooltip, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm, useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { applicationUrl, client } from '../client.ts'
import { toMomentText } from '../model/dates.ts'
import { NewShare } from './new-share.tsx'
import type { PanelProps } from './panel.ts'
import { SidePanel } from './side-panel.tsx'

type Share = {
  readonly id: string
  readonly name: string | null
  readonly password: string | null
  readonly date_start: string | null
  readonly date_end: string | null
  readonly times_used: number
  readonly max_uses: number | null
}

const fields = ['id', 'name', 'password', 'date_start', 'date_end', 'times_used', 'max_uses'] as const

const readShares = (collection: string, item: string): Promise<readonly Share[]> =>
  client.shares.read({
    fields: [...fields],
    filter: { collection: { _eq: collection }, item: { _eq: item } },
    sort: ['-date_created'],
    limit: 200,
  })

/** Why the link works no longer. */
function endOf({ date_end: end, times_used: used, max_uses: most }: Share): 'expired' | 'used_up' | null {
  if (end !== null && Date.parse(end) <= Date.now()) return 'expired'
  return most !== null && used >= most ? 'used_up' : null
}

const linkOf = ({ id }: Share): string => new URL(`shared/${id}`, applicationUrl).href

export const Shares = ({ model, collection, item, onClose }: PanelProps) => {
  const translate = useTranslate()
  const notify = useNotify()
  const [revoked, setRevoked] = useState<Share | null>(null)
  const {
    data = [],
    error,
    isLoading,
    refetch,
  } = useQuery({
    queryKey: ['shares', collection.name, item],
    queryFn: () => readShares(collection.name, item),
    staleTime: 0,
  })
  const revoke = (): void => {
    if (revoked === null) return
    client.shares.delete(revoked.id).then(
      () => refetch(),
      (reason: unknown) => notify(messageOf(reason), { type: 'error' }),
    )
    setRevoked(null)
  }
  return (
    <SidePanel title="app.shares.title" onClose={onClose}>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        {translate('app.shares.intro')}
      </Typography>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      {!isLoading && data.length === 0 && error === null && (
        <Typography sx={{ py: 2 }}>{translate('app.shares.none')}</Typography>
      )}
      <List dense>
        {data.map((each) => (
          <ShareRow key={each.id} share={each} onRevoke={() => setRevoked(each)} />
        ))}
      </List>
      <NewShare {...{ model, item }} collection={collection.name} onMade={() => void refetch()} />
      <Confirm
        isOpen={revoked !== null}
        title={translate('app.shares.revoke', { name: revoked?.name ?? '' })}
        content={translate('app.shares.revoke_text')}
        onConfirm={revoke}
        onClose={() => setRevoked(null)}
      />
    </SidePanel>
  )
}

const ShareRow = ({ share, onRevoke }: { readonly share: Share; readonly onRevoke: () => void }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const name = share.name ?? translate('app.shares.unnamed')
  const end = endOf(share)
  const copy = (): void => {
    const copied = () => notify('app.shares.copied', { type: 'info' })
    // Pages without TLS have no clipboard; there the address is shown to be copied by hand.
    if (navigator.clipboard === undefined) notify(linkOf(share), { type: 'info', autoHideDuration: 20_000 })
    else navigator.clipboard.writeText(linkOf(share)).then(copied, () => notify(linkOf(share), { type: 'info' }))
  }
  const details = [
    translate('app.shares.used', { used: share.times_used, most: share.max_uses ?? '∞' }),
    ...(share.password === null ? [] : [translate('app.shares.has_password')]),
    ...(share.date_start === null ? [] : [translate('app.shares.from', { time: toMomentText(share.date_start) })]),
    ...(share.date_end === null ? [] : [translate('app.shares.until', { time: toMomentText(share.date_end) })]),
  ]
  return (
    <ListItem divider disableGutters>
      <ListItemText
        primary={
          <>
            <a href={linkOf(share)} target="_blank" rel="noreferrer" style={{ color: 'inherit' }}>
              {name}
            </a>
            {end !== null && <Chip size="small" label={translate(`app.shares.${end}`)} sx={{ ml: 1 }} />}
          </>
        }
        secondary={details.join(' · ')}
        slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}
      />
      <Tooltip title={translate('app.shares.copy', { name })}>
        <IconButton size="small" aria-label={translate('app.shares.copy', { name })} onClick={copy}>
          <CopyIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Tooltip title={translate('app.shares.revoke', { name })}>
        <IconButton size="small" aria-label={translate('app.shares.revoke', { name })} onClick={onRevoke}>
          <RevokeIcon fontSize="small" />
        </IconButton>
      </Tooltip>
    </ListItem>
  )
}
