/** What the parts of the report of an import share. */
import { Box, Button, Link, Typography } from '@mui/material'
import { Children, type ReactNode, useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { toCountText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import { toResource } from '../model/names.ts'

type ReportPartProps = { readonly name: string; readonly count: number; readonly children: ReactNode }

/** A heading with a number, what it is about, and the entries; nothing without entries. */
export const ReportPart = ({ name, count, children }: ReportPartProps) => {
  const translate = useTranslate()
  if (count === 0) return null
  return (
    <Box component="section" sx={{ mt: 3 }}>
      <Typography component="h3" variant="subtitle1" sx={{ fontWeight: 600 }}>
        {`${translate(`app.import.${name}`)} (${toCountText(count)})`}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: '60rem', mb: 1 }}>
        {translate(`app.import.${name}_text`)}
      </Typography>
      {children}
    </Box>
  )
}

/** Entries that are shown before somebody asks for all. */
const first = 15

/** The first entries of a list, and all of them when asked. */
export const LongList = ({ children }: { readonly children: ReactNode }) => {
  const entries = Children.toArray(children)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Box component="ul" sx={{ pl: 2.5, my: 0, overflowWrap: 'anywhere', '& > li': { mb: 0.5 } }}>
        {isOpen ? entries : entries.slice(0, first)}
      </Box>
      {!isOpen && entries.length > first && <ShowAll count={entries.length} onClick={() => setIsOpen(true)} />}
    </>
  )
}

export const ShowAll = ({ count, onClick }: { readonly count: number; readonly onClick: () => void }) => {
  const translate = useTranslate()
  return (
    <Button onClick={onClick} sx={{ mt: 0.5 }}>
      {translate('app.import.all', { count: toCountText(count) })}
    </Button>
  )
}

/** System collections whose items have a page. */
const withPages = new Set(['system/users', 'system/roles', 'system/files', 'system/folders', 'system/webhooks'])

type RecordLinkProps = {
  readonly model: Model
  readonly collection: string
  /** Without it, the link leads to the list. */
  readonly id?: string
  readonly children: ReactNode
}

/** A link to the item or the list, where there is one. */
export const RecordLink = ({ model, collection, id, children }: RecordLinkProps) => {
  const resource = toResource(collection)
  const known = [...model.collections.values()].find(({ name }) => toResource(name) === resource)
  const hasPage = known !== undefined && known.key !== null && (!known.isSystem || withPages.has(resource))
  if (!hasPage || id === '' || (id !== undefined && known.key === '$key')) return <>{children}</>
  return (
    <Link component={RouterLink} to={id === undefined ? `/${resource}` : `/${resource}/${encodeURIComponent(id)}`}>
      {children}
    </Link>
  )
}
