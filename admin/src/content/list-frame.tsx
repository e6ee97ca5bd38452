/** What is around the rows of a list: search, buttons, pages. */

import PreviousIcon from '@mui/icons-material/ChevronLeftOutlined'
import NextIcon from '@mui/icons-material/ChevronRightOutlined'
import { Alert, Box, Card, IconButton, MenuItem, Stack, TextField, Typography } from '@mui/material'
import { type ReactNode, useEffect, useState } from 'react'
import { Title, useListContext, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'

type Props = {
  readonly title: string
  readonly actions: ReactNode
  readonly children: ReactNode
  /** Whether the rows come in pages. */
  readonly hasPages?: boolean
}

export const ListFrame = ({ title, actions, children, hasPages = true }: Props) => {
  const { error } = useListContext()
  return (
    <Box sx={{ minWidth: 0, pb: 2 }}>
      <Title title={title} />
      <Stack
        direction="row"
        useFlexGap
        sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 1, py: 1 }}
      >
        <Search />
        <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 0.5 }}>
          {actions}
        </Stack>
      </Stack>
      {error ? (
        <Alert severity="error">{messageOf(error)}</Alert>
      ) : (
        <Card sx={{ minWidth: 0 }}>
          {children}
          {hasPages && <Pages />}
        </Card>
      )}
    </Box>
  )
}

/** Milliseconds without a key until the server is asked. */
const pause = 300

const Search = () => {
  const translate = useTranslate()
  const { filterValues, setFilters } = useListContext()
  const { q = '', ...others } = filterValues as { readonly q?: string }
  const [text, setText] = useState(q)
  // A saved list brings its own search.
  useEffect(() => setText(q), [q])
  useEffect(() => {
    if (text === q) return
    const timer = setTimeout(() => setFilters({ ...others, ...(text !== '' && { q: text }) }, {}), pause)
    return () => clearTimeout(timer)
  })
  const label = translate('ra.action.search')
  return (
    <TextField
      margin="none"
      type="search"
      placeholder={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      slotProps={{ htmlInput: { 'aria-label': label } }}
      sx={{ width: { xs: '100%', sm: '16rem' } }}
    />
  )
}

const sizes = [10, 25, 50, 100, 500] as const

const Pages = () => {
  const translate = useTranslate()
  const { page, perPage, setPage, setPerPage, total = 0 } = useListContext()
  const [offsetBegin, offsetEnd] = [(page - 1) * perPage + 1, Math.min(page * perPage, total)]
  if (total === 0) return null
  return (
    <Stack
      direction="row"
      useFlexGap
      sx={{ alignItems: 'center', justifyContent: 'end', gap: { xs: 0.5, sm: 1 }, p: 1 }}
    >
      <Typography variant="body2" aria-hidden noWrap sx={{ display: { xs: 'none', sm: 'block' } }}>
        {translate('ra.navigation.page_rows_per_page')}
      </Typography>
      <TextField
        select
        margin="none"
        fullWidth={false}
        value={perPage}
        onChange={({ target }) => setPerPage(Number(target.value))}
        slotProps={{ htmlInput: { 'aria-label': translate('ra.navigation.page_rows_per_page') } }}
      >
        {[...new Set([...sizes, perPage])]
          .toSorted((a, b) => a - b)
          .map((each) => (
            <MenuItem key={each} value={each}>
              {each}
            </MenuItem>
          ))}
      </TextField>
      <Typography variant="body2">
        {translate('ra.navigation.page_range_info', { offsetBegin, offsetEnd, total })}
      </Typography>
      <IconButton
        size="small"
        disabled={page === 1}
        aria-label={translate('ra.navigation.previous')}
        onClick={() => setPage(page - 1)}
      >
        <PreviousIcon />
      </IconButton>
      <IconButton
        size="small"
        disabled={offsetEnd >= total}
        aria-label={translate('ra.navigation.next')}
        onClick={() => setPage(page + 1)}
      >
        <NextIcon />
      </IconButton>
    </Stack>
  )
}
