/** Keeps what was changed in a form and not saved, and offers it when the form is opened again. */
import { Alert, Button } from '@mui/material'
import { useEffect, useRef, useState } from 'react'
import { type Identifier, useRecordContext, useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { toChanges } from '../api/changes.ts'
import { type Draft, draftName, forgetDraft, keepDraft, readDraft } from '../api/drafts.ts'
import type { Row } from '../client.ts'
import { kindOf } from '../inputs/kinds.ts'
import { wasReloaded } from '../layout/new-build.ts'
import { toMomentText } from '../model/dates.ts'
import type { Collection, Model } from '../model/model.ts'
import { toFieldLabel } from '../model/texts.ts'
import type { Here } from './use-collection.ts'

/** In milliseconds after the last change. */
const delay = 300

type Props = Here & { readonly id: Identifier | null }

/** Records of the platform may hold secrets, which do not belong into a browser's storage. */
export const FormDraft = (props: Props) =>
  props.collection.isSystem ? null : <OwnDraft key={`${props.resource}/${props.id}`} {...props} />

/** Values of new items are compared with what the form began with. */
const OwnDraft = ({ model, collection, resource, id }: Props) => {
  const { getValues, setValue, watch, formState } = useFormContext<Row>()
  const record = useRecordContext<Row & { id: Identifier }>()
  const name = draftName(model.me.id, resource, id)
  const [found, setFound] = useState(() => readDraft(name, Date.now()))
  const base = useRef<Row>({})
  base.current = id === null ? (formState.defaultValues ?? {}) : (record ?? {})
  const offered = useRef(found)
  offered.current = found
  useEffect(() => {
    const keep = (): void => {
      if (offered.current !== null) return
      const changes = keepable(model, collection, toChanges(getValues(), base.current))
      const names = Object.keys(changes)
      if (names.length === 0) return forgetDraft(name)
      const before = Object.fromEntries(names.map((field) => [field, base.current[field] ?? null]))
      keepDraft(name, { at: Date.now(), changes, before })
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const { unsubscribe } = watch(() => {
      clearTimeout(timer)
      timer = setTimeout(keep, delay)
    })
    addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      unsubscribe()
      removeEventListener('pagehide', keep)
    }
  }, [name, model, collection, getValues, watch])
  const restore = (): void => {
    for (const [field, value] of Object.entries(found?.changes ?? {})) setValue(field, value, { shouldDirty: true })
    setFound(null)
  }
  const isReady = id === null || record !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the item is there.
  useEffect(() => {
    if (!wasReloaded || !isReady) return undefined
    // After the form itself has taken the values of the item.
    const timer = setTimeout(restore)
    return () => clearTimeout(timer)
  }, [isReady])
  if (found === null || !isReady) return null
  return (
    <Offer
      {...{ collection, draft: found }}
      record={id === null ? null : (record ?? null)}
      onRestore={restore}
      onDiscard={() => {
        forgetDraft(name)
        setFound(null)
      }}
    />
  )
}

/** Without passwords, and without values of fields that the form does not have. */
function keepable(model: Model, collection: Collection, changes: Row): Row {
  const fields = collection.fields.filter((field) => kindOf(model, field) !== 'hash')
  return Object.fromEntries(fields.flatMap(({ field }) => (field in changes ? [[field, changes[field]]] : [])))
}

type OfferProps = {
  readonly collection: Collection
  readonly draft: Draft
  readonly record: Row | null
  readonly onRestore: () => void
  readonly onDiscard: () => void
}

const Offer = ({ collection, draft, record, onRestore, onDiscard }: OfferProps) => {
  const translate = useTranslate()
  const changed = collection.fields.filter(({ field }) => field in draft.changes)
  const isOlder = ({ field }: { readonly field: string }): boolean =>
    record !== null && JSON.stringify(record[field] ?? null) !== JSON.stringify(draft.before[field] ?? null)
  const older = changed.filter(isOlder)
  const time = toMomentText(draft.at)
  const named = (fields: typeof changed): string => fields.map(toFieldLabel).join(', ')
  return (
    <Alert
      severity={older.length === 0 ? 'info' : 'warning'}
      sx={{ width: '100%', mb: 1, '& .MuiAlert-action': { flexWrap: 'wrap', justifyContent: 'flex-end' } }}
      action={
        <>
          <Button color="inherit" size="small" onClick={onDiscard}>
            {translate('app.draft.discard')}
          </Button>
          <Button color="inherit" size="small" onClick={onRestore}>
            {translate('app.draft.restore')}
          </Button>
        </>
      }
    >
      {translate('app.draft.found', { time, fields: named(changed) })}
      {older.length > 0 && ` ${translate('app.draft.older', { fields: named(older) })}`}
    </Alert>
  )
}
