/** A new webhook, whose secret is shown once. */
import { useState } from 'react'
import { Create, SimpleForm, useTranslate } from 'react-admin'
import { useNavigate } from 'react-router'
import { toNew } from '../api/changes.ts'
import type { Row } from '../client.ts'
import { ItemFields } from '../content/item-fields.tsx'
import { useCollection } from '../content/use-collection.ts'
import { toText } from '../model/to-text.ts'
import { withChoices } from './described.ts'
import { SecretDialog } from './secret-dialog.tsx'

const usual = {
  status: 'active',
  method: 'POST',
  format: 'standard',
  data: true,
  actions: ['create', 'update', 'delete'],
}

export const WebhookCreate = () => {
  const translate = useTranslate()
  const navigate = useNavigate()
  const here = useCollection()
  const [made, setMade] = useState<Row | null>(null)
  if (here === null) return null
  const { model, resource } = here
  return (
    <>
      <Create
        resource={resource}
        title={translate('app.webhooks.create')}
        redirect={false}
        transform={(data: object) => toNew(data as Row)}
        mutationOptions={{ onSuccess: (row: unknown) => setMade(row as Row) }}
      >
        <SimpleForm defaultValues={usual}>
          <ItemFields model={model} collection={withChoices(model, here.collection)} action="create" />
        </SimpleForm>
      </Create>
      {made !== null && (
        <SecretDialog
          secret={toText(made['secret'])}
          onClose={() => void navigate(`/${resource}/${toText(made['id'])}`)}
        />
      )}
    </>
  )
}
