/** What a policy allows with one action on one collection. */
import {
  Autocomplete,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Divider,
  MenuItem,
  TextField,
  Typography,
} from '@mui/material'
import { type ReactNode, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { FilterEditor } from '../filters/filter-editor.tsx'
import { withMarks, withoutMarks } from '../model/exact-numbers.ts'
import type { Action, Collection, Model } from '../model/model.ts'
import { toLabel } from '../model/texts.ts'
import type { Permission } from './permission.ts'

type Props = {
  readonly model: Model
  readonly policy: string
  readonly collection: Collection
  readonly action: Action
  readonly stored: Permission | null
  readonly onClose: () => void
  readonly onSaved: () => void
}

type Mode = 'none' | 'all' | 'some'

const filtered: readonly Action[] = ['read', 'update', 'delete', 'share']
const written: readonly Action[] = ['create', 'update']

const isWhole = ({ fields, permissions, validation, presets }: Permission): boolean =>
  fields?.includes('*') === true &&
  [permissions, validation, presets].every((each) => each === null || Object.keys(each).length === 0)

export const PermissionDialog = ({ model, policy, collection, action, stored, onClose, onSaved }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const [mode, setMode] = useState<Mode>(stored === null ? 'none' : isWhole(stored) ? 'all' : 'some')
  const [fields, setFields] = useState<readonly string[]>(stored?.fields ?? ['*'])
  const [filter, setFilter] = useState<object | undefined>(stored?.permissions ?? {})
  const [validation, setValidation] = useState<object | undefined>(stored?.validation ?? {})
  const [presets, setPresets] = useState(withoutMarks(JSON.stringify(stored?.presets ?? {}, null, 2)))
  const presetValues = parsePresets(presets)
  const save = async (): Promise<void> => {
    try {
      const custom = mode === 'some'
      const body = {
        policy,
        collection: collection.name,
        action,
        fields: custom ? fields : ['*'],
        permissions: custom ? filter : {},
        validation: custom ? validation : {},
        presets: custom ? presetValues : null,
      }
      if (mode === 'none') {
        if (stored !== null) await client.permissions.delete(stored.id)
      } else if (stored === null) await client.permissions.create(body as never)
      else await client.permissions.update(stored.id, body as never)
      notify('app.item.saved', { type: 'info' })
      onSaved()
    } catch (error) {
      notify(messageOf(error), { type: 'error', multiLine: true })
    }
  }
  const isValid = filter !== undefined && validation !== undefined && presetValues !== undefined
  const title = `${translate(`app.matrix.${action}`)}: ${toLabel(collection)}`
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="permission-title">
      <DialogTitle id="permission-title">{title}</DialogTitle>
      <DialogContent>
        <TextField
          select
          label={translate('app.matrix.access')}
          value={mode}
          onChange={({ target }) => setMode(target.value as Mode)}
        >
          {(['none', 'all', 'some'] as const).map((each) => (
            <MenuItem key={each} value={each}>
              {translate(`app.matrix.${each}_access`)}
            </MenuItem>
          ))}
        </TextField>
        {mode === 'some' && (
          <>
            {action !== 'delete' && action !== 'share' && (
              <Autocomplete
                multiple
                options={['*', ...collection.fields.map(({ field }) => field)]}
                value={[...fields]}
                onChange={(_, next) => setFields(next)}
                renderInput={(params) => (
                  <TextField
                    {...params}
                    label={translate('app.matrix.fields')}
                    helperText={translate('app.matrix.fields_hint')}
                  />
                )}
              />
            )}
            {filtered.includes(action) && (
              <Part title={translate('app.matrix.filter')}>
                <FilterEditor model={model} collection={collection} value={filter ?? {}} onChange={setFilter} />
                <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
                  {translate('app.matrix.variables')}
                </Typography>
              </Part>
            )}
            {written.includes(action) && (
              <>
                <Part title={translate('app.matrix.validation')}>
                  <FilterEditor
                    model={model}
                    collection={collection}
                    value={validation ?? {}}
                    onChange={setValidation}
                  />
                </Part>
                <TextField
                  multiline
                  minRows={3}
                  label={translate('app.matrix.presets')}
                  value={presets}
                  error={presetValues === undefined}
                  helperText={translate(presetValues === undefined ? 'app.json.invalid' : 'app.matrix.presets_hint')}
                  onChange={({ target }) => setPresets(target.value)}
                  slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }}
                />
              </>
            )}
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" disabled={!isValid} onClick={() => void save()}>
          {translate('ra.action.save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <>
    <Divider sx={{ my: 2 }} />
    <Typography component="h3" variant="subtitle1" sx={{ fontWeight: 600, mb: 1 }}>
      {title}
    </Typography>
    {children}
  </>
)

function parsePresets(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(withMarks(text.trim() === '' ? '{}' : text))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
