/** The settings of the project. */

import { Box, Card, CardContent } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { Form, SaveButton, Title, Toolbar, useNotify, usePermissions, useTranslate } from 'react-admin'
import { toChanges } from '../api/changes.ts'
import { formProblems, messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import { ItemFields } from '../content/item-fields.tsx'
import { type Model, ofResource } from '../model/model.ts'

export const SettingsPage = () => {
  const translate = useTranslate()
  const notify = useNotify()
  const { permissions: model } = usePermissions<Model>()
  const { data, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: async () => (await client.settings.read()) as unknown as Row,
  })
  const collection = model === undefined ? undefined : ofResource(model, 'system/settings')
  const save = async (values: Row): Promise<object | undefined> => {
    try {
      await client.settings.update(toChanges(values, data))
      notify('app.item.saved', { type: 'info' })
      await refetch()
      return undefined
    } catch (error) {
      notify(messageOf(error), { type: 'error', multiLine: true })
      return formProblems(error)
    }
  }
  if (data === undefined || model === undefined || collection === undefined) return null
  return (
    <Box sx={{ py: 2 }}>
      <Title title="app.menu.settings" />
      <Card>
        <Form record={data} onSubmit={save as never} warnWhenUnsavedChanges>
          <CardContent>
            <ItemFields model={model} collection={collection} action="update" />
          </CardContent>
          <Toolbar>
            <SaveButton label={translate('ra.action.save')} />
          </Toolbar>
        </Form>
      </Card>
    </Box>
  )
}
