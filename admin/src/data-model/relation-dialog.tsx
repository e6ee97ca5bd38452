/** A new relation to one or to many items of another collection. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import type { Collection, Model } from '../model/model.ts'
import { toCollectionChoice } from '../model/texts.ts'
import { toText } from '../model/to-text.ts'
import { addToModel, type Collections, type Entry } from './configuration.ts'
import { useDialogChange } from './dialog-change.tsx'

type Props = { readonly model: Model; readonly collection: Collection; readonly onClose: () => void }

type Kind = 'm2o' | 'm2m'

const keyTypeOf = ({ fields, key }: Collection): string => fields.find(({ field }) => field === key)?.type ?? 'integer'

export const RelationDialog = ({ model, collection, onClose }: Props) => {
  const translate = useTranslate()
  const { change, problem } = useDialogChange()
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
            {targets.map((each) => (
              <MenuItem key={each.name} value={each.name}>
                {toCollectionChoice(each)}
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
        {problem}
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

/** A field that has no column. */
const aliasOf = (name: string, special: 'm2m' | 'o2m') => ({
  [name]: { type: 'alias', display: { interface: `list-${special}`, special: [special] } },
})

const withFields = (collections: Collections, name: string, fields: Entry['fields']): Collections => {
  const entry = collections[name] ?? { fields: {} }
  const taken = Object.keys(fields).find((field) => field in entry.fields)
  if (taken !== undefined) throw new Error(`${name} has a field "${taken}" already.`)
  return { ...collections, [name]: { ...entry, fields: { ...entry.fields, ...fields } } }
}

const only = (collections: Collections, names: readonly string[]): Collections =>
  Object.fromEntries(names.flatMap((name) => (collections[name] === undefined ? [] : [[name, collections[name]]])))

/** A column with a foreign key. */
const makeToOne = (collection: Collection, target: Collection, field: string, reverse: string | null): Promise<void> =>
  addToModel((all) => {
    const relation = { to: target.name, ...(reverse !== null && { options: { one_field: reverse } }) }
    const column = { type: keyTypeOf(target), display: { interface: 'select-dropdown-m2o' }, relation }
    const there = withFields(all, collection.name, { [field]: column })
    const both = reverse === null ? there : withFields(there, target.name, aliasOf(reverse, 'o2m'))
    return only(both, [collection.name, target.name])
  })

/** A column of a table of pairs. */
const sideOf = (to: Collection, options: object) => ({
  type: keyTypeOf(to),
  relation: { to: to.name, on_delete: 'CASCADE', options },
})

/** A table of pairs, and a field that shows them. */
const makeToMany = (collection: Collection, target: Collection, field: string, reverse: string | null): Promise<void> =>
  addToModel((all) => {
    const junction = `${collection.name}_${field}`
    if (junction in all) throw new Error(`There is a collection "${junction}" already.`)
    const own = `${collection.name}_id`
    const other = target.name === collection.name ? `related_${target.name}_id` : `${target.name}_id`
    const pairs = {
      display: { hidden: true },
      fields: {
        id: { type: 'integer', column: { is_primary_key: true, has_auto_increment: true } },
        [own]: sideOf(collection, { one_field: field, junction_field: other, one_deselect_action: 'delete' }),
        [other]: sideOf(target, { ...(reverse !== null && { one_field: reverse }), junction_field: own }),
      },
    }
    const there = withFields({ ...all, [junction]: pairs }, collection.name, aliasOf(field, 'm2m'))
    const both = reverse === null ? there : withFields(there, target.name, aliasOf(reverse, 'm2m'))
    return only(both, [junction, collection.name, target.name])
  })
