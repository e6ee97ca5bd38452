/** The filter of a list, in a dialog. */
import FilterIcon from '@mui/icons-material/FilterListOutlined'
import { Badge, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { useState } from 'react'
import { useListContext, useTranslate } from 'react-admin'
import { later } from '../lazy.tsx'
import type { Here } from './use-collection.ts'

const FilterEditor = later(() => import('../filters/filter-editor.tsx'), 'FilterEditor')

type Values = { readonly where?: object; readonly [name: string]: unknown }

export const FilterButton = ({ model, collection }: Pick<Here, 'model' | 'collection'>) => {
  const translate = useTranslate()
  const { filterValues, setFilters } = useListContext()
  const { where, ...others } = filterValues as Values
  const [draft, setDraft] = useState<object | undefined | null>(null)
  const apply = (next: object | undefined): void => {
    setFilters({ ...others, ...(next !== undefined && Object.keys(next).length > 0 && { where: next }) }, {})
    setDraft(null)
  }
  const [isOpen, setIsOpen] = [draft !== null, (open: boolean) => setDraft(open ? (where ?? {}) : null)]
  return (
    <>
      <Badge color="primary" variant="dot" invisible={where === undefined}>
        <Button size="small" startIcon={<FilterIcon />} onClick={() => setIsOpen(true)}>
          {translate('app.filter.title')}
        </Button>
      </Badge>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} maxWidth="md" fullWidth aria-labelledby="filter-title">
        <DialogTitle id="filter-title">{translate('app.filter.title')}</DialogTitle>
        <DialogContent sx={{ pt: '8px !important' }}>
          {isOpen && <FilterEditor model={model} collection={collection} value={draft ?? {}} onChange={setDraft} />}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => apply(undefined)}>{translate('app.filter.clear')}</Button>
          <Button onClick={() => setIsOpen(false)}>{translate('ra.action.cancel')}</Button>
          <Button variant="contained" disabled={draft === undefined} onClick={() => apply(draft ?? undefined)}>
            {translate('app.filter.apply')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
