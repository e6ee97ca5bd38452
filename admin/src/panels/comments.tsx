/** Comments on an item. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import { Alert, IconButton, List, ListItem, ListItemText, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm, useGetIdentity, useGetMany, useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import { mayRead } from '../layout/may-read.ts'
import { toMomentText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { mentionedIn, type Names, toShown } from './mentions.ts'
import { NewComment, nameOfUser } from './new-comment.tsx'

type Comment = {
  readonly id: string
  readonly comment: string
  readonly date_created: string
  readonly user_created: {
    readonly id: string
    readonly first_name: string | null
    readonly email: string | null
  } | null
}

const readComments = async (collection: string, item: string): Promise<readonly Comment[]> =>
  (await client.comments.read({
    fields: ['id', 'comment', 'date_created', { user_created: ['id', 'first_name', 'email'] }] as never,
    filter: { collection: { _eq: collection }, item: { _eq: item } },
    sort: ['-date_created'],
  })) as unknown as readonly Comment[]

/** The names of users who are mentioned, as far as they may be read. */
function useNames(model: Model, comments: readonly Comment[]): Names {
  const ids = mentionedIn(comments.map(({ comment }) => comment))
  const enabled = ids.length > 0 && mayRead(model, 'users')
  const { data = [] } = useGetMany('system/users', { ids: [...ids] }, { enabled })
  const users = (data as readonly (Row | undefined)[]).filter((user) => user !== undefined)
  return new Map(users.map((user) => [toText(user['id']), nameOfUser(user)]))
}

type Props = { readonly model: Model; readonly collection: string; readonly item: string }

export const Comments = ({ model, collection, item }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const { identity } = useGetIdentity()
  const [removed, setRemoved] = useState<Comment | null>(null)
  const {
    data = [],
    error,
    refetch,
  } = useQuery({
    queryKey: ['comments', collection, item],
    queryFn: () => readComments(collection, item),
  })
  const names = useNames(model, data)
  const remove = (): void => {
    if (removed === null) return
    client.comments.delete(removed.id).then(
      () => refetch(),
      (reason: unknown) => notify(messageOf(reason), { type: 'error' }),
    )
    setRemoved(null)
  }
  return (
    <section aria-labelledby="comments">
      <Typography id="comments" component="h3" variant="subtitle1" sx={{ mt: 2, fontWeight: 600 }}>
        {translate('app.comments.title')}
      </Typography>
      {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
      <List dense>
        {data.map((each) => (
          <ListItem key={each.id} disableGutters sx={{ alignItems: 'flex-start' }}>
            <ListItemText
              primary={toShown(each.comment, names)}
              secondary={`${each.user_created?.first_name ?? each.user_created?.email ?? '–'} · ${toMomentText(each.date_created)}`}
              slotProps={{ primary: { sx: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } } }}
            />
            {each.user_created !== null && each.user_created.id === identity?.id && (
              <IconButton size="small" aria-label={translate('app.comments.remove')} onClick={() => setRemoved(each)}>
                <DeleteIcon fontSize="small" />
              </IconButton>
            )}
          </ListItem>
        ))}
      </List>
      <NewComment {...{ model, collection, item }} onMade={refetch} />
      <Confirm
        isOpen={removed !== null}
        title={translate('app.comments.remove')}
        content={toShown(removed?.comment ?? '', names)}
        onConfirm={remove}
        onClose={() => setRemoved(null)}
      />
    </section>
  )
}
