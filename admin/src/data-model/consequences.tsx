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

/** A change that is proposed. */
export type Proposal =
  | { readonly kind: 'delete-collections'; readonly collections: readonly string[] }
  | { readonly kind: 'delete-field'; readonly collection: string; readonly field: string }
  | ({ readonly kind: 'rename' } & Rename)
  | { readonly kind: 'change-type'; readonly collection: string; readonly field: string; readonly type: string }

function changed(collections: Collections, proposal: Proposal): Collections {
  if (proposal.kind === 'rename') return renamed(collections, proposal)
  if (proposal.kind === 'delete-collections') return proposal.collections.reduce(withoutCollection, collections)
  const { collection } = proposal
  if (proposal.kind === 'delete-field') return withoutField(collections, collection, proposal.field)
  const entry = collections[collection] ?? { fields: {} }
  const fields = { ...entry.fields, [proposal.field]: { ...entry.fields[proposal.field], type: proposal.type } }
  return { ...collections, [collection]: { ...entry, fields } }
}

async function readPlan(proposal: Proposal): Promise<readonly Planned[]> {
  const configuration = await readConfiguration()
  const collections = changed(configuration.collections, proposal)
  // The server follows references to a new name by itself.
  if (proposal.kind === 'rename') return planConfiguration({ collections }, false)
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
async function readCounts(proposal: Proposal): Promise<readonly Count[]> {
  const [names, field] =
    'collections' in proposal ? [proposal.collections, null] : [[proposal.collection], proposal.field]
  return Promise.all(names.map(async (collection) => ({ collection, count: await readCount(collection, field) })))
}

const usePlan = (proposal: Proposal) =>
  useQuery({ queryKey: ['plan', proposal], queryFn: () => readPlan(proposal), staleTime: 0, gcTime: 0 })

/** The changes that are asked about before they are made. */
export type Deletion = Extract<Proposal, { readonly kind: 'delete-collections' | 'delete-field' }>

type Props = { readonly proposal: Proposal; readonly hasRows: boolean }

type DeletionProps = {
  readonly proposal: Deletion
  readonly hasRows: boolean
  readonly name: string
  /** Junction collections, which may be deleted, too. */
  readonly junctions?: readonly string[]
  /** Told what was agreed to: the change that was proposed, or the deletion of collections instead. */
  readonly onConfirm: (agreed: Deletion) => void
  readonly onClose: () => void
}

/** A junction collection takes the fields with it that show it. */
const whole = (proposal: Deletion, junctions: readonly string[]): Deletion => ({
  kind: 'delete-collections',
  collections: [...(proposal.kind === 'delete-collections' ? proposal.collections : []), ...junctions],
})

/** Asks whether to delete. Nobody can agree before the consequences are shown. */
export const ConfirmDeletion = ({ name, proposal, hasRows, junctions = [], onConfirm, onClose }: DeletionProps) => {
  const translate = useTranslate()
  const [isWhole, setIsWhole] = useState(false)
  const chosen = isWhole ? whole(proposal, junctions) : proposal
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
          <Consequences proposal={chosen} hasRows={hasRows || isWhole} />
        </>
      }
      onConfirm={() => onConfirm(chosen)}
      onClose={onClose}
    />
  )
}

export const Consequences = ({ proposal, hasRows }: Props) => {
  const translate = useTranslate()
  const plan = usePlan(proposal)
  const { data: counts = [] } = useQuery({
    queryKey: ['count', proposal],
    queryFn: () => readCounts(proposal),
    enabled: hasRows,
    staleTime: 0,
    gcTime: 0,
  })
  const counted = 'field' in proposal ? 'app.plan.values' : counts.length > 1 ? 'app.plan.items_of' : 'app.plan.items'
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
