/** A new relation to one or to many items of other collections, or to translations. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import type { Collection, Model } from '../model/model.ts'
import { toCollectionChoice } from '../model/texts.ts'
import { toText } from '../model/to-text.ts'
import { useDialogChange } from './dialog-change.tsx'
import { addToModel, type Collections } from './edits/configuration.ts'
import {
  junctionOf,
  NameTaken,
  type NewRelation,
  toAny,
  toMany,
  toOne,
  toTranslations,
  usualLanguages,
} from './edits/new-relation.ts'
import { NamesInput } from './names-input.tsx'

type Props = { readonly model: Model; readonly collection: Collection; readonly onClose: () => void }

const kinds = ['m2o', 'm2m', 'm2a', 'translations'] as const

type Kind = (typeof kinds)[number]

/** What is chosen besides the names. */
type Wish = {
  readonly kind: Kind
  readonly target: Collection | undefined
  readonly allowed: readonly string[]
  readonly texts: readonly string[]
}

function edited(all: Collections, relation: NewRelation, { kind, target, allowed, texts }: Wish): Collections {
  if (kind === 'm2a') return toAny(all, relation, allowed)
  if (kind === 'translations') return toTranslations(all, relation, { languages: target ?? null, texts })
  if (target === undefined) return {}
  return kind === 'm2o' ? toOne(all, relation, target) : toMany(all, relation, target)
}

export const RelationDialog = ({ model, collection, onClose }: Props) => {
  const translate = useTranslate()
  const { change, problem } = useDialogChange()
  const [kind, setKind] = useState<Kind>('m2o')
  const [name, setName] = useState('')
  const [related, setRelated] = useState('')
  const [allowed, setAllowed] = useState<readonly string[]>([])
  const [texts, setTexts] = useState<readonly string[]>([])
  const targets = [...model.collections.values()]
    .filter(({ isFolder, key }) => !isFolder && key !== null && key !== '$key')
    .toSorted((a, b) => Number(a.isSystem) - Number(b.isSystem))
  const choose = (next: Kind): void => {
    setKind(next)
    const languages = model.collections.has(usualLanguages) ? usualLanguages : ''
    if (next === 'translations') setRelated(languages)
    if (next === 'translations' && name === '') setName(next)
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const reverse = toText(new FormData(event.currentTarget).get('reverse')).trim() || null
    const relation = { collection, field: name.trim(), reverse }
    const wish = { kind, target: model.collections.get(related), allowed, texts }
    const edit = (all: Collections): Collections => {
      try {
        return edited(all, relation, wish)
      } catch (error) {
        if (!(error instanceof NameTaken)) throw error
        throw new Error(translate(`app.relation.${error.refusal}`, { ...error.values }), { cause: error })
      }
    }
    void change(() => addToModel(edit)).then((isDone) => {
      if (isDone) onClose()
    })
  }
  const hasReverse = kind === 'm2o' || kind === 'm2m'
  const textNames = collection.fields
    .filter(({ type, schema }) => schema !== null && (type === 'string' || type === 'text') && !schema.is_primary_key)
    .map(({ field }) => field)
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="relation-title">
      <form onSubmit={submit}>
        <DialogTitle id="relation-title">{translate('app.model.create_relation')}</DialogTitle>
        <DialogContent>
          <TextField
            select
            label={translate('app.relation.kind')}
            value={kind}
            onChange={({ target }) => choose(target.value as Kind)}
          >
            {kinds.map((each) => (
              <MenuItem key={each} value={each}>
                {translate(`app.relation.${each}`)}
              </MenuItem>
            ))}
          </TextField>
          {kind === 'm2a' ? (
            <NamesInput
              label={translate('app.relation.allowed')}
              options={targets.map((each) => each.name)}
              value={allowed}
              onChange={setAllowed}
            />
          ) : (
            <TargetInput kind={kind} targets={targets} value={related} onChange={setRelated} />
          )}
          <TextField
            required
            label={translate('app.model.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {hasReverse && (
            <TextField
              name="reverse"
              label={translate('app.relation.reverse')}
              helperText={translate('app.relation.reverse_hint')}
            />
          )}
          {kind === 'translations' && (
            <NamesInput
              isFree
              label={translate('app.relation.texts')}
              helperText={translate('app.relation.texts_hint')}
              options={textNames}
              value={texts}
              onChange={setTexts}
            />
          )}
          <Alert severity="info">
            {translate(`app.relation.${kind}_consequence`, {
              name: collection.name,
              related: related || '…',
              junction: junctionOf({ collection, field: name.trim() || '…' }),
            })}
            {kind === 'translations' && related === '' && ` ${translate('app.relation.languages_consequence')}`}
          </Alert>
        </DialogContent>
        {problem}
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={kind === 'm2a' && allowed.length === 0}>
            {translate('ra.action.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type TargetProps = {
  readonly kind: Kind
  readonly targets: readonly Collection[]
  readonly value: string
  readonly onChange: (name: string) => void
}

const TargetInput = ({ kind, targets, value, onChange }: TargetProps) => {
  const translate = useTranslate()
  const isOptional = kind === 'translations'
  const hasUsual = targets.some(({ name }) => name === usualLanguages)
  return (
    <TextField
      select
      required={!isOptional}
      label={translate(isOptional ? 'app.relation.languages' : 'app.relation.related')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      {...(isOptional && { slotProps: { select: { displayEmpty: true }, inputLabel: { shrink: true } } })}
    >
      {isOptional && !hasUsual && (
        <MenuItem value="">{translate('app.relation.new_languages', { name: usualLanguages })}</MenuItem>
      )}
      {targets.map((each) => (
        <MenuItem key={each.name} value={each.name}>
          {toCollectionChoice(each)}
        </MenuItem>
      ))}
    </TextField>
  )
}
