/** One version beside its item: what differs, more changes, and into the item with all or some of them. */
import { Alert, Box, Button, Checkbox, Stack, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm, useNotify, useRefresh, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { hasRight } from '../model/model.ts'
import { toFieldLabel } from '../model/texts.ts'
import { ComparedValues } from './compared-values.tsx'
import type { Comparison, PanelProps, Version } from './panel.ts'
import { Value } from './value.tsx'
import { VersionDialog } from './version-dialog.tsx'

type Props = Omit<PanelProps, 'onClose'> & {
  readonly version: Version
  readonly onBack: () => void
  readonly onPromoted: () => void
}

export const VersionPage = ({ model, collection, version, onBack, onPromoted }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isEditing, setIsEditing] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['version', version.id],
    queryFn: async () => (await client.versions.compare(version.id)) as unknown as Comparison,
    staleTime: 0,
  })
  const changed = collection.fields.filter(({ field }) => data !== undefined && field in data.current)
  const chosen = changed.map(({ field }) => field).filter((field) => !left.has(field))
  const attempt = (work: Promise<unknown>, done: () => void): void => {
    work.then(done, (reason: unknown) => notify(messageOf(reason), { type: 'error', multiLine: true }))
  }
  const promote = (): void => {
    const body = { mainHash: data?.mainHash ?? '', ...(left.size > 0 && { fields: chosen }) }
    attempt(client.versions.promote(version.id, body), () => {
      notify('app.versions.promoted', { type: 'info' })
      refresh()
      onPromoted()
    })
  }
  const toggle = (field: string): void =>
    setLeft((all) => (all.has(field) ? new Set([...all].filter((each) => each !== field)) : new Set([...all, field])))
  return (
    <Box>
      <Typography component="h3" variant="subtitle1" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        {version.name ?? version.key}
      </Typography>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      {data?.outdated && <Alert severity="warning">{translate('app.versions.outdated')}</Alert>}
      {data !== undefined && changed.length === 0 && (
        <Typography sx={{ py: 2 }}>{translate('app.versions.same')}</Typography>
      )}
      {changed.length > 0 && data !== undefined && (
        <Box sx={{ overflowX: 'auto' }}>
          <ComparedValues
            fields={changed}
            titles={['app.versions.main', 'app.versions.version']}
            cells={(field) => [
              <Value key="main" field={field} value={data.main[field.field]} />,
              <Value key="version" field={field} value={data.current[field.field]} />,
            ]}
            choice={{
              title: 'app.versions.take',
              cell: (field) => (
                <Checkbox
                  size="small"
                  checked={!left.has(field.field)}
                  onChange={() => toggle(field.field)}
                  slotProps={{
                    input: { 'aria-label': translate('app.versions.take_field', { name: toFieldLabel(field) }) },
                  }}
                />
              ),
            }}
          />
        </Box>
      )}
      <Stack direction="row" useFlexGap sx={{ mt: 2, flexWrap: 'wrap', gap: 1 }}>
        <Button onClick={onBack}>{translate('ra.action.back')}</Button>
        {hasRight(collection, 'update') && (
          <>
            <Button disabled={data === undefined} onClick={() => setIsEditing(true)}>
              {translate('app.versions.edit')}
            </Button>
            <Button variant="contained" disabled={chosen.length === 0} onClick={promote}>
              {translate('app.versions.promote')}
            </Button>
          </>
        )}
        <Button color="error" onClick={() => setIsDeleting(true)}>
          {translate('ra.action.delete')}
        </Button>
      </Stack>
      {isEditing && data !== undefined && (
        <VersionDialog
          {...{ model, collection, version }}
          comparison={data}
          onClose={() => setIsEditing(false)}
          onSaved={() => {
            setIsEditing(false)
            void refetch()
          }}
        />
      )}
      <Confirm
        isOpen={isDeleting}
        title={translate('app.model.delete_named', { name: version.name ?? version.key })}
        content={translate('app.versions.delete_text')}
        onConfirm={() => attempt(client.versions.delete(version.id), onBack)}
        onClose={() => setIsDeleting(false)}
      />
    </Box>
  )
}
