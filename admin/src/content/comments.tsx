/** Comments on an item. */
import { Button, List, ListItem, ListItemText, TextField, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toMomentText } from '../model/dates.ts'

type Comment = {
  readonly id: string
  readonly comment: string
  readonly date_created: string
  readonly user_created: { readonly first_name: string | null; readonly email: string | null } | null
}

const readComments = async (collection: string, item: string): Promise<readonly Comment[]> =>
  (await client.comments.read({
    fields: ['id', 'comment', 'date_created', { user_created: ['first_name', 'email'] }] as never,
    filter: { collection: { _eq: collection }, item: { _eq: item } },
    sort: ['-date_created'],
  })) as unknown as readonly Comment[]

export const Comments = ({ collection, item }: { readonly collection: string; readonly item: string }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const [text, setText] = useState('')
  const { data = [], refetch } = useQuery({
    queryKey: ['comments', collection, item],
    queryFn: () => readComments(collection, item),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    client.comments
      .create({ collection, item, comment: text.trim() })
      .then(async () => {
        setText('')
        await refetch()
      })
      .catch((error: unknown) => notify(messageOf(error), { type: 'error' }))
  }
  return (
    <section aria-labelledby="comments">
      <Typography id="comments" component="h3" variant="subtitle1" sx={{ mt: 2, fontWeight: 600 }}>
        {translate('app.comments.title')}
      </Typography>
      <List dense>
        {data.map((each) => (
          <ListItem key={each.id} disableGutters>
            <ListItemText
              primary={each.comment}
              secondary={`${each.user_created?.first_name ?? each.user_created?.email ?? '–'} · ${toMomentText(each.date_created)}`}
              slotProps={{ primary: { sx: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } } }}
            />
          </ListItem>
        ))}
      </List>
      <form onSubmit={submit}>
        <TextField
          multiline
          minRows={2}
          label={translate('app.comments.new')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" size="small" variant="outlined" disabled={text.trim() === ''}>
          {translate('app.comments.add')}
        </Button>
      </form>
    </section>
  )
}
