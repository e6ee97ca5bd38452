/** One item: its form, its history, and what to do when somebody else has changed it. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  DeleteButton,
  Edit,
  type Identifier,
  SaveButton,
  SimpleForm,
  Toolbar,
  TopToolbar,
  useNotify,
  useRecordContext,
  useRedirect,
  useRefresh,
  useTranslate,
} from 'react-admin'
import { codeOf, messageOf } from '../api/errors.ts'
import type { Row } from '../client.ts'
import { hasRight } from '../model/model.ts'
import { toItemText, toLabel } from '../model/texts.ts'
import { ItemPanels } from '../panels/item-panels.tsx'
import { Conflict, type PendingSave } from './conflict.tsx'
import { FormDraft } from './draft.tsx'
import { FormProblems } from './form-problems.tsx'
import { ItemFields } from './item-fields.tsx'
import { LiveForm } from './live-form.tsx'
import { SaveKey } from './save-key.tsx'
import { type Here, useCollection } from './use-collection.ts'

export const ItemEdit = () => {
  const here = useCollection()
  return here === null ? null : <CollectionEdit key={here.resource} {...here} />
}

type Variables = { readonly id: Identifier; readonly data: Row; readonly previousData: Row }

type EditProps = Here & {
  readonly id?: Identifier
  readonly redirect?: false
  /** Shown in the form, before its fields. */
  readonly above?: ReactNode
}

const CollectionEdit = ({ above, ...here }: EditProps) => {
  const { model, collection, resource } = here
  const notify = useNotify()
  const redirect = useRedirect()
  const refresh = useRefresh()
  const queries = useQueryClient()
  const [conflict, setConflict] = useState<PendingSave | null>(null)
  const saved = (): void => {
    notify('app.item.saved', { type: 'info' })
    // Lists hold what was saved, with the keys of related items where the list shows their texts.
    void queries.invalidateQueries({ queryKey: [resource, 'getList'] })
    if (here.redirect === false) refresh()
    else redirect('list', resource)
  }
  const failed = (error: unknown, variables: unknown): void => {
    const { id, data, previousData } = variables as Variables
    if (codeOf(error) === 'PRECONDITION_FAILED') setConflict({ id, data, previousData })
    else notify(messageOf(error), { type: 'error', multiLine: true })
  }
  return (
    <Edit
      {...(here.id !== undefined && { id: here.id })}
      resource={resource}
      mutationMode="pessimistic"
      mutationOptions={{ onSuccess: saved, onError: failed }}
      actions={
        <TopToolbar sx={{ flexWrap: 'wrap' }}>
          <ItemPanels model={model} collection={collection} />
        </TopToolbar>
      }
    >
      <SimpleForm
        disableInvalidFormNotification
        warnWhenUnsavedChanges
        toolbar={<ItemToolbar {...here} />}
        sanitizeEmptyValues={false}
      >
        <SaveKey />
        <FormProblems />
        <EditedDraft {...here} />
        {model.isLive && <LiveForm {...here} />}
        {above}
        <ItemFields model={model} collection={collection} action="update" />
      </SimpleForm>
      {conflict !== null && (
        <Conflict
          {...here}
          pending={conflict}
          onClose={() => setConflict(null)}
          onSaved={() => {
            setConflict(null)
            saved()
          }}
        />
      )}
    </Edit>
  )
}

export const KnownItemEdit = CollectionEdit

const EditedDraft = (here: Here) => {
  const record = useRecordContext()
  return record === undefined ? null : <FormDraft {...here} id={record.id} />
}

const DeleteItem = ({ collection }: Pick<Here, 'collection'>) => {
  const translate = useTranslate()
  const row = useRecordContext<Row & { readonly id: Identifier }>()
  const values = { name: toLabel(collection), recordRepresentation: row && toItemText(collection, row) }
  return <DeleteButton mutationMode="pessimistic" confirmTitle={translate('ra.message.delete_title', values)} />
}

const ItemToolbar = ({ collection, redirect }: Here & { readonly redirect?: false }) => (
  <Toolbar sx={{ justifyContent: 'space-between' }}>
    {hasRight(collection, 'update') && <SaveButton />}
    {hasRight(collection, 'delete') && redirect !== false && <DeleteItem collection={collection} />}
  </Toolbar>
)
