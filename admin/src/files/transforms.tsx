/** A picture in another size or format: a preview, and its address. */
import { Box, Button, Card, CardContent, MenuItem, Stack, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { toServerUrl } from '../client.ts'
import { toText } from '../model/to-text.ts'

const fits = ['cover', 'contain', 'inside', 'outside'] as const
const formats = ['auto', 'jpg', 'png', 'webp', 'avif'] as const

export const Transforms = ({ id }: { readonly id: string }) => {
  const translate = useTranslate()
  const [address, setAddress] = useState<string | null>(null)
  const [isRefused, setIsRefused] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const names = ['width', 'height', 'fit', 'format', 'quality'] as const
    const query = new URLSearchParams(names.map((name) => [name, toText(given.get(name))]).filter(([, value]) => value))
    setIsRefused(false)
    setAddress(toServerUrl(`assets/${id}?${query.toString()}`))
  }
  const number = (name: string, most: number, value: number | '') => (
    <TextField
      name={name}
      type="number"
      label={translate(`app.files.${name}`)}
      defaultValue={value}
      slotProps={{ htmlInput: { min: 1, max: most } }}
      sx={{ width: '8rem' }}
    />
  )
  const select = (name: string, values: readonly string[]) => (
    <TextField
      select
      name={name}
      label={translate(`app.files.${name}`)}
      defaultValue={values[0]}
      sx={{ width: '8rem' }}
    >
      {values.map((each) => (
        <MenuItem key={each} value={each}>
          {each}
        </MenuItem>
      ))}
    </TextField>
  )
  return (
    <Card sx={{ mt: 2 }}>
      <CardContent>
        <Typography component="h2" variant="h6">
          {translate('app.files.transforms')}
        </Typography>
        <Stack
          component="form"
          direction="row"
          useFlexGap
          onSubmit={submit}
          sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1 }}
        >
          {number('width', 10_000, 400)}
          {number('height', 10_000, 300)}
          {select('fit', fits)}
          {select('format', formats)}
          {number('quality', 100, '')}
          <Button type="submit" variant="outlined">
            {translate('app.files.show')}
          </Button>
        </Stack>
        {address !== null && (
          <Box sx={{ mt: 1 }}>
            <TextField
              label={translate('app.files.address')}
              value={address}
              slotProps={{ htmlInput: { readOnly: true } }}
              onFocus={({ target }) => target.select()}
            />
            {isRefused ? (
              <Typography color="error">{translate('app.files.refused')}</Typography>
            ) : (
              <img
                key={address}
                src={address}
                alt={translate('app.files.transforms')}
                onError={() => setIsRefused(true)}
                style={{ maxWidth: '100%', borderRadius: 8 }}
              />
            )}
          </Box>
        )}
      </CardContent>
    </Card>
  )
}
