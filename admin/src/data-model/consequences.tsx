/** What a change of the data model would do, before it is made: in words, and whom it breaks. */
import { Alert, Box, Checkbox, CircularProgress, FormControlLabel, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client, clientName } from '../client.ts'
import {
  type Affected,
  type Collections,
  type Planned,
  planConfiguration,
  readConfiguration,
} from './edits/configuration.ts'
import { type Rename, renamed } from './edits/renamed.ts'
import { withoutCollection, withoutField } from './edits/without.ts'

/** A change that is thought of. */
export type Thought =
  | { readonly kind: 'delete-collections'; readonly collections: readonly string[] }
  | { readonly kind: 'delete-field'; readonly collection: string; readonly field: string }
  | ({ readonly kind: 'rename' } & Rename)
  | { readonly kind: 'change-type'; readonly collection: string; readonly field: string; readonly type: string }

function changed(collections: Collections, thought: Thought): Collections {
  if (thought.kind === 'rename') return renamed(collections, thought)
  if (thought.kind === 'delete-collections') return thought.collections.reduce(withoutCollection, collections)
  const { collection } = thought
  if (thought.kind === 'delete-field') return withoutField(collections, collection, thought.field)
  const entry = collections[collection] ?? { fields: {} }
  const fields = { ...entry.fields, [thought.field]: { ...entry.fields[thought.field], type: thought.type } }
  return { ...collections, [collection]: { ...entry, fields } }
}

async function readPlan(thought: Thought): Promise<readonly Planned[]> {
  const configuration = await readConfiguration()
  const collections = changed(configuration.collections, thought)
  // The server follows references to a new name by itself.
  if (thought.kind === 'rename') return planConfiguration({ collections }, false)
  return planConfiguration({ ...configuration, collections }, true)
}

/** Number of items, or of those that have a value in the field. */
async function readCount(collection: string, field: string | null): Promise<number> {
  const operation = { method: 'GET', path: '/items/{collection}' }
  type Counted = { readonly count: unknown }
  const { data } = await client.request<{ readonly data: readonly Counted[] }>(operation, {
    path: { collection },
    query: { aggregate: { count: [field ?? '*'] } },
  })
  const count = data[0]?.count ?? 0
  return Number(typeof count === 'object' ? (count as { readonly [field: string]: unknown })[field ?? '*'] : count)
}

type Count = { readonly collection: string; readonly count: number }

/** Of each collection that loses something. */
async function readCounts(thought: Thought): Promise<readonly Count[]> {
  const [names, field] = 'collections' in thought ? [thought.collections, null] : [[thought.collection], thought.field]
  return Promise.all(names.map(async (collection) => ({ collection, count: await readCount(collection, field) })))
}

const usePlan = (thought: Thought) =>
  useQuery({ queryKey: ['plan', thought], queryFn: () => readPlan(thought), staleTime: 0, gcTime: 0 })

/** The changes that are asked about before they are made. */
export type Deletion = Extract<Thought, { readonly kind: 'delete-collections' | 'delete-field' }>

type Props = { readonly thought: Thought; readonly hasRows: boolean }

type DeletionProps = {
  readonly thought: Deletion
  readonly hasRows: boolean
  readonly name: string
  /** Junction collections, which may be deleted, too. */
  readonly junctions?: readonly string[]
  /** Told what was agreed to: the change that was thought of, or the deletion of collections instead. */
  readonly onConfirm: (agreed: Deletion) => void
  readonly onClose: () => void
}

/** A junction collection takes the fields with it that show it. */
const whole = (thought: Deletion, junctions: readonly string[]): Deletion => ({
  kind: 'delete-collections',
  collections: [...(thought.kind === 'delete-collections' ? thought.collections : []), ...junctions],
})

/** Asks whether to delete. Nobody can agree before the consequences are shown. */
export const ConfirmDeletion = ({ name, thought, hasRows, junctions = [], onConfirm, onClose }: DeletionProps) => {
  const translate = useTranslate()
  const [isWhole, setIsWhole] = useState(false)
  const chosen = isWhole ? whole(thought, junctions) : thought
  const { isPending } = usePlan(chosen)
  const names = { names: junctions.join(', '), smart_count: junctions.length }
  return (
    <Confirm
      isOpen
      loading={isPending}
      title={translate('app.model.delete_named', { name })}
      content={
        <>
          {junctions.length > 0 && (
            <FormControlLabel
              sx={{ mb: 1 }}
              control={<Checkbox checked={isWhole} onChange={(_, checked) => setIsWhole(checked)} />}
              label={translate('app.plan.with_junctions', names)}
            />
          )}
          {junctions.length > 0 && !isWhole && <Box>{translate('app.plan.junctions_stay', names)}</Box>}
          <Consequences thought={chosen} hasRows={hasRows || isWhole} />
        </>
      }
      onConfirm={() => onConfirm(chosen)}
      onClose={onClose}
    />
  )
}

export const Consequences = ({ thought, hasRows }: Props) => {
  const translate = useTranslate()
  const plan = usePlan(thought)
  const { data: counts = [] } = useQuery({
    queryKey: ['count', thought],
    queryFn: () => readCounts(thought),
    enabled: hasRows,
    staleTime: 0,
    gcTime: 0,
  })
  const counted = 'field' in thought ? 'app.plan.values' : counts.length > 1 ? 'app.plan.items_of' : 'app.plan.items'
  // This application reads the model, and shows what there is.
  const clients = (plan.data ?? []).flatMap((each) => each.clients).filter((each) => each.client !== clientName)
  return (
    <Box component="section" aria-label={translate('app.plan.title')} sx={{ my: 1 }}>
      {counts.map(({ collection, count }) => (
        <Typography key={collection} sx={{ mb: 1 }}>
          {translate(counted, { smart_count: count, name: collection })}
        </Typography>
      ))}
      {plan.isPending && <CircularProgress size={20} aria-label={translate('app.plan.title')} />}
      {plan.error !== null && <Alert severity="info">{messageOf(plan.error)}</Alert>}
      {plan.data !== undefined && (
        <Box component="ul" sx={{ my: 0, pl: 2.5 }}>
          {plan.data.map(({ words }) => (
            <Box component="li" key={words} sx={{ overflowWrap: 'anywhere' }}>
              {words}
            </Box>
          ))}
        </Box>
      )}
      {plan.data !== undefined && clients.length === 0 && (
        <Alert severity="info" sx={{ mt: 1 }}>
          {translate('app.plan.nobody')}
        </Alert>
      )}
      {clients.length > 0 && <Broken clients={clients} />}
    </Box>
  )
}

const Broken = ({ clients }: { readonly clients: readonly Affected[] }) => {
  const translate = useTranslate()
  const lines = [...new Set(clients.map(({ client: name, operation, path }) => `${name}: ${operation} ${path}`))]
  return (
    <Alert severity="warning" sx={{ mt: 1 }}>
      {translate('app.plan.breaks')}
      <Box component="ul" sx={{ my: 0, pl: 2.5, maxHeight: '12rem', overflowY: 'auto' }}>
        {lines.map((line) => (
          <Box component="li" key={line} sx={{ overflowWrap: 'anywhere' }}>
            {line}
          </Box>
        ))}
      </Box>
    </Alert>
  )
}
