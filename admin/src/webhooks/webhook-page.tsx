/** One webhook: its form, a new secret, and its deliveries. */
import KeyIcon from '@mui/icons-material/KeyOutlined'
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material'
import { useState } from 'react'
import { useNotify, useRefresh, useTranslate } from 'react-admin'
import { useParams } from 'react-router'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { KnownItemEdit } from '../content/item-edit.tsx'
import { useCollection } from '../content/use-collection.ts'
import { Deliveries } from './deliveries.tsx'
import { withChoices } from './described.ts'
import { SecretDialog } from './secret-dialog.tsx'

export const WebhookPage = () => {
  const here = useCollection()
  const { id = '' } = useParams()
  if (here === null) return null
  const collection = withChoices(here.model, here.collection)
  return (
    <Box sx={{ pt: 1 }}>
      <KnownItemEdit {...here} collection={collection} id={id} />
      <Rotation webhook={id} />
      <Deliveries webhook={id} />
    </Box>
  )
}

/** Seconds for which the former secret signs, too. */
const overlaps = [0, 3600, 86_400, 604_800] as const

const Rotation = ({ webhook }: { readonly webhook: string }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const [isAsking, setIsAsking] = useState(false)
  const [overlap, setOverlap] = useState<number>(86_400)
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = async (): Promise<void> => {
    setIsAsking(false)
    try {
      const answer = (await client.webhooks.rotateSecret(webhook, { overlap })) as { secret: string }
      setSecret(answer.secret)
    } catch (error) {
      notify(messageOf(error), { type: 'error' })
    }
  }
  return (
    <>
      <Button startIcon={<KeyIcon />} onClick={() => setIsAsking(true)} sx={{ mt: 1 }}>
        {translate('app.webhooks.rotate')}
      </Button>
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} fullWidth maxWidth="xs" aria-labelledby="rotate-title">
        <DialogTitle id="rotate-title">{translate('app.webhooks.rotate')}</DialogTitle>
        <DialogContent>
          <TextField
            select
            label={translate('app.webhooks.overlap')}
            helperText={translate('app.webhooks.overlap_hint')}
            value={overlap}
            onChange={({ target }) => setOverlap(Number(target.value))}
          >
            {overlaps.map((each) => (
              <MenuItem key={each} value={each}>
                {translate(`app.webhooks.overlap_${each}`)}
              </MenuItem>
            ))}
          </TextField>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setIsAsking(false)}>{translate('ra.action.cancel')}</Button>
          <Button variant="contained" onClick={() => void rotate()}>
            {translate('app.webhooks.rotate_now')}
          </Button>
        </DialogActions>
      </Dialog>
      {secret !== null && (
        <SecretDialog
          secret={secret}
          onClose={() => {
            setSecret(null)
            // The form would be saved over a webhook that has changed since.
            refresh()
          }}
        />
      )}
    </>
  )
}
