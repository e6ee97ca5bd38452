/** The revisions and comments of an item: compare with what is now, and go back. */
import { Alert, Box, Button, List, ListItem, ListItemButton, ListItemText, Stack, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useNotify, useRecordContext, useRefresh, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import { isWritable } from '../inputs/writable.ts'
import { mayRead } from '../layout/may-read.ts'
import { toMomentText } from '../model/dates.ts'
import type { Collection } from '../model/model.ts'
import { toResource } from '../model/names.ts'
import { toFieldLabel } from '../model/texts.ts'
import { Comments } from './comments.tsx'
import { ComparedValues } from './compared-values.tsx'
import type { PanelProps } from './panel.ts'
import { SidePanel } from './side-panel.tsx'
import { Value } from './value.tsx'

type Revision = {
  readonly id: number
  readonly data: Row | null
  readonly delta: Row | null
  readonly activity: {
    readonly action: string
    readonly timestamp: string
    readonly user: {
      readonly first_name: string | null
      readonly last_name: string | null
      readonly email: string | null
    } | null
  } | null
}

const readRevisions = async (collection: string, item: string): Promise<readonly Revision[]> =>
  (await client.revisions.read({
    fields: [
      'id',
      'data',
      'delta',
      { activity: ['action', 'timestamp', { user: ['first_name', 'last_name', 'email'] }] },
    ] as never,
    filter: { collection: { _eq: collection }, item: { _eq: item }, version: { _null: true } },
    sort: ['-id'],
    limit: 50,
  })) as unknown as readonly Revision[]

const nameOf = ({ activity }: Revision): string =>
  [activity?.user?.first_name, activity?.user?.last_name].filter(Boolean).join(' ') || (activity?.user?.email ?? '–')

const timeOf = ({ activity }: Revision): string => (activity === null ? '' : toMomentText(activity.timestamp))

/** The fields that were changed. */
const labelsOf = ({ fields }: Collection, { delta }: Revision): string =>
  fields
    .filter(({ field }) => Object.hasOwn(delta ?? {}, field))
    .map(toFieldLabel)
    .join(', ')

export const History = ({ model, collection, item, onClose }: PanelProps) => {
  const translate = useTranslate()
  const [chosen, setChosen] = useState<Revision | null>(null)
  const mayReadAll = mayRead(model, 'revisions') && mayRead(model, 'activity')
  const {
    data = [],
    error,
    isLoading,
  } = useQuery({
    queryKey: ['history', collection.name, item],
    queryFn: () => readRevisions(collection.name, item),
    enabled: mayReadAll,
    staleTime: 0,
  })
  return (
    <SidePanel title="app.history.title" onClose={onClose}>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      {!isLoading && data.length === 0 && error === null && (
        <Typography sx={{ py: 2 }}>{translate(mayReadAll ? 'app.history.none' : 'app.history.no_right')}</Typography>
      )}
      {chosen === null ? (
        <>
          <List dense>
            {data.map((each) => (
              <ListItem key={each.id} disablePadding>
                <ListItemButton onClick={() => setChosen(each)}>
                  <ListItemText
                    primary={`${translate(`app.action.${each.activity?.action ?? 'update'}`, { _: each.activity?.action ?? '' })} · ${nameOf(each)}`}
                    secondary={[timeOf(each), labelsOf(collection, each)].filter(Boolean).join(' · ')}
                    slotProps={{ secondary: { noWrap: true } }}
                  />
                </ListItemButton>
              </ListItem>
            ))}
          </List>
          <Comments model={model} collection={collection.name} item={item} />
        </>
      ) : (
        <Comparison collection={collection} revision={chosen} onBack={() => setChosen(null)} onReverted={onClose} />
      )}
    </SidePanel>
  )
}

type ComparisonProps = {
  readonly collection: Collection
  readonly revision: Revision
  readonly onBack: () => void
  readonly onReverted: () => void
}

const Comparison = ({ collection, revision, onBack, onReverted }: ComparisonProps) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const provider = useDataProvider()
  const resource = toResource(collection.name)
  const now = useRecordContext<Row & { id: string }>() ?? ({} as Row)
  const then = revision.data ?? {}
  const changed = collection.fields.filter(
    ({ field, schema }) =>
      schema?.is_primary_key === false &&
      field in then &&
      JSON.stringify(then[field] ?? null) !== JSON.stringify(now[field] ?? null),
  )
  const revert = async (): Promise<void> => {
    try {
      // The server goes back with all fields, also with those that the user may not write.
      const isWhole = collection.rights.update?.fields?.includes('*') ?? false
      const writable = changed.filter((field) => isWritable(collection, field, 'update'))
      const data = Object.fromEntries(writable.map(({ field }) => [field, then[field]]))
      if (isWhole) await client.utils.revert(String(revision.id))
      else await provider.update(resource, { id: String(now['id']), data, previousData: now, meta: { force: true } })
      notify('app.history.reverted', { type: 'info' })
      refresh()
      onReverted()
    } catch (error) {
      notify(messageOf(error), { type: 'error' })
    }
  }
  return (
    <Box>
      <Typography variant="body2" sx={{ mb: 1 }}>
        {timeOf(revision)} · {nameOf(revision)}
      </Typography>
      {changed.length === 0 ? (
        <Typography>{translate('app.history.same')}</Typography>
      ) : (
        <ComparedValues
          fields={changed}
          titles={['app.history.earlier', 'app.history.now']}
          cells={(field) => [
            <Value key="then" field={field} value={then[field.field]} />,
            <Value key="now" field={field} value={now[field.field]} />,
          ]}
        />
      )}
      <Stack direction="row" spacing={1} sx={{ mt: 2 }}>
        <Button onClick={onBack}>{translate('app.history.back')}</Button>
        <Button variant="contained" disabled={changed.length === 0} onClick={() => void revert()}>
          {translate('app.history.revert')}
        </Button>
      </Stack>
    </Box>
  )
}
