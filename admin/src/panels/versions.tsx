/** The versions of an item: changes that wait until somebody puts them into it. */
import {
  Alert,
  Button,
  List,
  ListItem,
  ListItemButton,
  ListItemText,
  Stack,
  TextField,
  Typography,
} from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toMomentText } from '../model/dates.ts'
import type { PanelProps, Version } from './panel.ts'
import { SidePanel } from './side-panel.tsx'
import { VersionPage } from './version-page.tsx'

const readVersions = async (collection: string, item: string): Promise<readonly Version[]> =>
  (await client.versions.read({
    fields: ['id', 'key', 'name', 'date_created', 'date_updated', { user_created: ['first_name', 'email'] }] as never,
    filter: { collection: { _eq: collection }, item: { _eq: item } },
    sort: ['-date_created'],
    limit: 200,
  })) as unknown as readonly Version[]

/** `Spring issue!` → `spring-issue`, which addresses can have. */
const toKey = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64)

export const Versions = ({ model, collection, item, onClose }: PanelProps) => {
  const translate = useTranslate()
  const [chosen, setChosen] = useState<Version | null>(null)
  const {
    data = [],
    error,
    isLoading,
    refetch,
  } = useQuery({
    queryKey: ['versions', collection.name, item],
    queryFn: () => readVersions(collection.name, item),
    staleTime: 0,
  })
  const back = (): void => {
    setChosen(null)
    void refetch()
  }
  return (
    <SidePanel title="app.versions.title" onClose={onClose}>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      {chosen === null ? (
        <>
          <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
            {translate('app.versions.intro')}
          </Typography>
          {!isLoading && data.length === 0 && error === null && (
            <Typography sx={{ py: 2 }}>{translate('app.versions.none')}</Typography>
          )}
          <List dense>
            {data.map((each) => (
              <ListItem key={each.id} disablePadding>
                <ListItemButton onClick={() => setChosen(each)}>
                  <ListItemText
                    primary={each.name ?? each.key}
                    secondary={describe(each)}
                    slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}
                  />
                </ListItemButton>
              </ListItem>
            ))}
          </List>
          <NewVersion collection={collection.name} item={item} onMade={setChosen} />
        </>
      ) : (
        <VersionPage {...{ model, collection, item }} version={chosen} onBack={back} onPromoted={onClose} />
      )}
    </SidePanel>
  )
}

const describe = ({ date_created, date_updated, user_created }: Version): string => {
  const time = date_updated ?? date_created
  const who = user_created?.first_name ?? user_created?.email ?? '–'
  return time === null ? who : `${who} · ${toMomentText(time)}`
}

type NewProps = {
  readonly collection: string
  readonly item: string
  readonly onMade: (version: Version) => void
}

const NewVersion = ({ collection, item, onMade }: NewProps) => {
  const translate = useTranslate()
  const notify = useNotify()
  const [name, setName] = useState('')
  const key = toKey(name)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    client.versions
      .create({ key, name: name.trim(), collection, item })
      .then((made) => onMade(made as unknown as Version))
      .catch((error: unknown) => notify(messageOf(error), { type: 'error', multiLine: true }))
  }
  return (
    <form onSubmit={submit}>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: { sm: 'center' }, mt: 1 }}>
        <TextField
          label={translate('app.versions.name')}
          value={name}
          slotProps={{ htmlInput: { maxLength: 255 } }}
          onChange={({ target }) => setName(target.value)}
        />
        <Button
          type="submit"
          variant="outlined"
          disabled={key === ''}
          sx={{ flexShrink: 0, alignSelf: { xs: 'flex-start', sm: 'auto' } }}
        >
          {translate('app.versions.create')}
        </Button>
      </Stack>
    </form>
  )
}
