/** The filter of a list, in a dialog. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { FilterEditor } from '../../filters/filter-editor.tsx'
import type { Here } from '../use-collection.ts'

type Props = Pick<Here, 'model' | 'collection'> & {
  readonly value: object
  /** Undefined: no filter. */
  readonly onApply: (filter: object | undefined) => void
  readonly onClose: () => void
}

export const FilterDialog = ({ model, collection, value, onApply, onClose }: Props) => {
  const translate = useTranslate()
  const [draft, setDraft] = useState<object | undefined>(value)
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="filter-title">
      <DialogTitle id="filter-title">{translate('app.filter.title')}</DialogTitle>
      <DialogContent sx={{ pt: '8px !important' }}>
        <FilterEditor model={model} collection={collection} value={draft ?? {}} onChange={setDraft} />
      </DialogContent>
      <DialogActions>
        <Button onClick={() => onApply(undefined)}>{translate('app.filter.clear')}</Button>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" disabled={draft === undefined} onClick={() => onApply(draft)}>
          {translate('app.filter.apply')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
