/** Opens the filter of a list. */
import FilterIcon from '@mui/icons-material/FilterListOutlined'
import { Badge, Button } from '@mui/material'
import { useState } from 'react'
import { useListContext, useTranslate } from 'react-admin'
import { later } from '../../lazy.tsx'
import type { Here } from '../use-collection.ts'

const FilterDialog = later(() => import('./filter-dialog.tsx'), 'FilterDialog')

type Values = { readonly where?: object; readonly [name: string]: unknown }

export const FilterButton = ({ model, collection }: Pick<Here, 'model' | 'collection'>) => {
  const translate = useTranslate()
  const { filterValues, setFilters } = useListContext()
  const { where, ...others } = filterValues as Values
  const [isOpen, setIsOpen] = useState(false)
  const apply = (next: object | undefined): void => {
    setFilters({ ...others, ...(next !== undefined && Object.keys(next).length > 0 && { where: next }) }, {})
    setIsOpen(false)
  }
  return (
    <>
      <Badge color="primary" variant="dot" invisible={where === undefined}>
        <Button size="small" startIcon={<FilterIcon />} onClick={() => setIsOpen(true)}>
          {translate('app.filter.title')}
        </Button>
      </Badge>
      {isOpen && (
        <FilterDialog {...{ model, collection }} value={where ?? {}} onApply={apply} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}
