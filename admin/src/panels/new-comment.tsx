/** The form of a new comment. A name behind `@` mentions a user, who is notified. */
import { Box, Button, Chip, Stack, TextField } from '@mui/material'
import { type FormEvent, useRef, useState } from 'react'
import { useGetList, useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import { mayRead } from '../layout/may-read.ts'
import type { Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { nameBegun, toStored, withName } from './mentions.ts'

type Props = {
  readonly model: Model
  readonly collection: string
  readonly item: string
  readonly onMade: () => Promise<unknown>
}

export const NewComment = ({ model, collection, item, onMade }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const input = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setIsBusy(true)
    // What is written from now on is the next comment.
    setText('')
    try {
      await client.comments.create({ collection, item, comment: toStored(text.trim(), names) })
      await onMade()
    } catch (error) {
      setText((next) => [text, next].filter(Boolean).join('\n'))
      notify(messageOf(error), { type: 'error' })
    } finally {
      setIsBusy(false)
    }
  }
  const mention = (id: string, name: string): void => {
    setNames(new Map([...names, [id, name]]))
    setText(withName(text, name))
    input.current?.focus()
  }
  const begun = nameBegun(text)
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField
        multiline
        minRows={2}
        label={translate('app.comments.new')}
        helperText={mayRead(model, 'users') && translate('app.comments.hint')}
        value={text}
        inputRef={input}
        onChange={({ target }) => setText(target.value)}
      />
      {begun !== null && mayRead(model, 'users') && <Found begun={begun} onChoose={mention} />}
      <Button type="submit" size="small" variant="outlined" disabled={isBusy || text.trim() === ''}>
        {translate('app.comments.add')}
      </Button>
    </form>
  )
}

/** The name of a user in a comment. */
export const nameOfUser = (user: Row): string =>
  [user['first_name'], user['last_name']].map(toText).filter(Boolean).join(' ') || toText(user['email'])

type FoundProps = { readonly begun: string; readonly onChoose: (id: string, name: string) => void }

const Found = ({ begun, onChoose }: FoundProps) => {
  const translate = useTranslate()
  const { data = [], isPending } = useGetList('system/users', {
    filter: begun === '' ? {} : { q: begun },
    pagination: { page: 1, perPage: 6 },
    sort: { field: 'first_name', order: 'ASC' },
    meta: { fields: ['id', 'first_name', 'last_name', 'email'] },
  })
  const users = (data as readonly Row[]).filter((user) => nameOfUser(user) !== '')
  return (
    <Box role="status" sx={{ mb: 1, color: 'text.secondary' }}>
      {!isPending && users.length === 0 && translate('app.comments.nobody')}
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 0.5 }}>
        {users.map((user) => (
          <Chip
            key={toText(user['id'])}
            size="small"
            label={`@${nameOfUser(user)}`}
            onClick={() => onChoose(toText(user['id']), nameOfUser(user))}
          />
        ))}
      </Stack>
    </Box>
  )
}
