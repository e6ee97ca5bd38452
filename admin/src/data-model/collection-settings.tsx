/** What is said of a collection: note, template, archive, order. */
import { Box, Button, Card, CardContent, FormControlLabel, MenuItem, Switch, TextField } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { client } from '../client.ts'
import type { Collection } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { useModelChange } from './use-model-change.ts'

const texts = ['note', 'display_template', 'archive_value', 'unarchive_value'] as const
const switches = ['hidden', 'singleton', 'versioning'] as const
const fieldChoices = ['archive_field', 'sort_field'] as const

export const CollectionSettings = ({ collection }: { readonly collection: Collection }) => {
  const translate = useTranslate()
  const change = useModelChange()
  const { meta } = collection
  const [chosen, setChosen] = useState({ archive_field: meta.archive_field ?? '', sort_field: meta.sort_field ?? '' })
  const [isOn, setIsOn] = useState({
    hidden: meta.hidden === true,
    singleton: meta.singleton === true,
    versioning: meta.versioning === true,
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const typed = Object.fromEntries(texts.map((name) => [name, toText(given.get(name)) || null]))
    const fields = Object.fromEntries(fieldChoices.map((name) => [name, chosen[name] || null]))
    void change(() => client.collections.update(collection.name, { meta: { ...typed, ...fields, ...isOn } }))
  }
  return (
    <Card component="form" onSubmit={submit}>
      <CardContent>
        <Box sx={{ display: 'grid', columnGap: 2, gridTemplateColumns: { md: '1fr 1fr' } }}>
          {texts.map((name) => (
            <TextField key={name} name={name} label={translate(`app.model.${name}`)} defaultValue={meta[name] ?? ''} />
          ))}
          {fieldChoices.map((name) => (
            <TextField
              key={name}
              select
              label={translate(`app.model.${name}`)}
              value={chosen[name]}
              onChange={({ target }) => setChosen({ ...chosen, [name]: target.value })}
            >
              <MenuItem value="">{translate('app.model.nothing')}</MenuItem>
              {collection.fields
                .filter(({ schema }) => schema !== null)
                .map(({ field }) => (
                  <MenuItem key={field} value={field}>
                    {field}
                  </MenuItem>
                ))}
            </TextField>
          ))}
        </Box>
        {switches.map((name) => (
          <FormControlLabel
            key={name}
            control={<Switch checked={isOn[name]} onChange={(_, checked) => setIsOn({ ...isOn, [name]: checked })} />}
            label={translate(`app.model.${name}`)}
          />
        ))}
        <Box>
          <Button type="submit" variant="outlined" sx={{ mt: 1 }}>
            {translate('app.model.save_settings')}
          </Button>
        </Box>
      </CardContent>
    </Card>
  )
}
