/** A new relation to one or to many items of another collection. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { client } from '../client.ts'
import type { Collection, Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { useModelChange } from './use-model-change.ts'

type Props = { readonly model: Model; readonly collection: Collection; readonly onClose: () => void }

type Kind = 'm2o' | 'm2m'

const keyTypeOf = ({ fields, key }: Collection): string => fields.find(({ field }) => field === key)?.type ?? 'integer'

export const RelationDialog = ({ model, collection, onClose }: Props) => {
  const translate = useTranslate()
  const change = useModelChange()
  const [kind, setKind] = useState<Kind>('m2o')
  const [related, setRelated] = useState('')
  const targets = [...model.collections.values()].filter(
    ({ isFolder, key }) => !isFolder && key !== null && key !== '$key',
  )
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const field = toText(given.get('name')).trim()
    const reverse = toText(given.get('reverse')).trim() || null
    const target = model.collections.get(related)
    if (target === undefined) return
    const work =
      kind === 'm2o'
        ? () => makeToOne(collection, target, field, reverse)
        : () => makeToMany(collection, target, field, reverse)
    void change(work).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="relation-title">
      <form onSubmit={submit}>
        <DialogTitle id="relation-title">{translate('app.model.create_relation')}</DialogTitle>
        <DialogContent>
          <TextField
            select
            label={translate('app.model.kind')}
            value={kind}
            onChange={({ target }) => setKind(target.value as Kind)}
          >
            {(['m2o', 'm2m'] as const).map((each) => (
              <MenuItem key={each} value={each}>
                {translate(`app.model.${each}`)}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            select
            required
            label={translate('app.model.related')}
            value={related}
            onChange={({ target }) => setRelated(target.value)}
          >
            {targets.map(({ name }) => (
              <MenuItem key={name} value={name}>
                {name}
              </MenuItem>
            ))}
          </TextField>
          <TextField name="name" required label={translate('app.model.name')} />
          <TextField
            name="reverse"
            label={translate('app.model.reverse')}
            helperText={translate('app.model.reverse_hint')}
          />
          <Alert severity="info">
            {translate(`app.model.${kind}_consequence`, { name: collection.name, related: related || '…' })}
          </Alert>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('ra.action.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** A column with a foreign key. */
async function makeToOne(
  collection: Collection,
  target: Collection,
  field: string,
  reverse: string | null,
): Promise<void> {
  const body = { field, type: keyTypeOf(target), schema: {}, meta: { interface: 'select-dropdown-m2o' } }
  await client.fields.create(collection.name, body as never)
  const relation = {
    collection: collection.name,
    field,
    related_collection: target.name,
    schema: {},
    meta: { one_field: reverse },
  }
  await client.relations.create(relation)
}

/** A table of pairs, and a field that shows them. */
async function makeToMany(
  collection: Collection,
  target: Collection,
  field: string,
  reverse: string | null,
): Promise<void> {
  const junction = `${collection.name}_${field}`
  const [own, other] = [
    `${collection.name}_id`,
    target.name === collection.name ? `related_${target.name}_id` : `${target.name}_id`,
  ]
  const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
  const sides = [
    { field: own, type: keyTypeOf(collection), schema: {} },
    { field: other, type: keyTypeOf(target), schema: {} },
  ]
  await client.collections.create({
    collection: junction,
    schema: {},
    meta: { hidden: true },
    fields: [id, ...sides],
  } as never)
  await client.fields.create(collection.name, {
    field,
    type: 'alias',
    meta: { interface: 'list-m2m', special: ['m2m'] },
  } as never)
  const from = {
    collection: junction,
    field: own,
    related_collection: collection.name,
    schema: { on_delete: 'CASCADE' },
    meta: { one_field: field, junction_field: other, one_deselect_action: 'delete' },
  }
  const to = {
    collection: junction,
    field: other,
    related_collection: target.name,
    schema: { on_delete: 'CASCADE' },
    meta: { one_field: reverse, junction_field: own },
  }
  await client.relations.create(from as never)
  await client.relations.create(to as never)
}
