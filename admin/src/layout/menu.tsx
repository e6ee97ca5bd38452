/** Collections by their folders, then the pages of the platform. */
import SingleIcon from '@mui/icons-material/ArticleOutlined'
import FolderIcon from '@mui/icons-material/FolderOutlined'
import HomeIcon from '@mui/icons-material/HomeOutlined'
import ListIcon from '@mui/icons-material/TableRowsOutlined'
import {
  Box,
  List,
  ListItem,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  Tooltip,
  Typography,
  useMediaQuery,
} from '@mui/material'
import type { ReactElement } from 'react'
import { usePermissions, useSidebarState, useTranslate } from 'react-admin'
import { NavLink } from 'react-router'
import { type Collection, hasRight, type Model } from '../model/model.ts'
import { toResource } from '../model/names.ts'
import { toLabel } from '../model/texts.ts'
import { pagesOf } from './pages.tsx'

export const AppMenu = () => {
  const { permissions: model } = usePermissions<Model>()
  const translate = useTranslate()
  const [isOpen] = useSidebarState()
  return (
    <Box
      component="nav"
      aria-label={translate('app.menu.navigation')}
      sx={{ width: isOpen ? 250 : 55, py: 1, overflowX: 'hidden' }}
    >
      <List disablePadding>
        <Entry to="/" text={translate('app.menu.home')} icon={<HomeIcon />} />
      </List>
      {model?.hasApp && <Content model={model} />}
      {model?.hasApp &&
        pagesOf(model).map(({ section, pages }) => (
          <Box key={section}>
            <Heading text={translate(`app.menu.${section}`)} />
            <List disablePadding aria-label={translate(`app.menu.${section}`)}>
              {pages.map(({ to, name, icon }) => (
                <Entry key={to} to={to} text={translate(`app.menu.${name}`)} icon={icon} />
              ))}
            </List>
          </Box>
        ))}
    </Box>
  )
}

const Heading = ({ text }: { readonly text: string }) => {
  const [isOpen] = useSidebarState()
  if (!isOpen) return <Box sx={{ borderTop: 1, borderColor: 'divider', my: 1 }} />
  return (
    <Typography
      variant="caption"
      aria-hidden
      sx={{ display: 'block', px: 2, pt: 1.5, pb: 0.5, color: 'text.secondary', fontWeight: 600 }}
    >
      {text}
    </Typography>
  )
}

type EntryProps = { readonly to: string; readonly text: string; readonly icon: ReactElement; readonly depth?: number }

const Entry = ({ to, text, icon, depth = 0 }: EntryProps) => {
  const [isOpen, setIsOpen] = useSidebarState()
  const isSmall = useMediaQuery((theme) => theme.breakpoints.down('md'))
  return (
    <ListItem disablePadding>
      <Tooltip title={isOpen ? '' : text} placement="right">
        <ListItemButton
          component={NavLink}
          to={to}
          end={to === '/'}
          aria-label={text}
          onClick={() => isSmall && setIsOpen(false)}
          sx={{
            py: 0.5,
            pl: isOpen ? 2 + depth * 2 : 2,
            minHeight: 38,
            '&.active': { fontWeight: 700, bgcolor: 'action.selected' },
          }}
        >
          <ListItemIcon sx={{ minWidth: 38 }}>{icon}</ListItemIcon>
          {isOpen && (
            <ListItemText slotProps={{ primary: { noWrap: true, sx: { fontWeight: 'inherit' } } }}>{text}</ListItemText>
          )}
        </ListItemButton>
      </Tooltip>
    </ListItem>
  )
}

const Content = ({ model }: { readonly model: Model }) => {
  const translate = useTranslate()
  const shown = [...model.collections.values()].filter((each) => !each.isSystem && !each.meta.hidden)
  if (!shown.some((each) => hasRight(each, 'read'))) return null
  return (
    <>
      <Heading text={translate('app.menu.content')} />
      <List disablePadding aria-label={translate('app.menu.content')}>
        <Level collections={shown} group={null} depth={0} />
      </List>
    </>
  )
}

type LevelProps = { readonly collections: readonly Collection[]; readonly group: string | null; readonly depth: number }

/** Folders nest as deep as the model says; a circle ends where it is too deep. */
const deepest = 8

const Level = ({ collections, group, depth }: LevelProps) => {
  const here = collections
    .filter(({ meta }) => (meta.group ?? null) === group)
    .toSorted((a, b) => (a.meta.sort ?? 0) - (b.meta.sort ?? 0) || a.name.localeCompare(b.name))
  if (depth > deepest) return null
  return here.flatMap((each) => [
    each.isFolder ? (
      <FolderEntry key={each.name} text={toLabel(each)} depth={depth} />
    ) : hasRight(each, 'read') ? (
      <Entry
        key={each.name}
        to={`/${toResource(each.name)}`}
        text={toLabel(each)}
        icon={each.meta.singleton ? <SingleIcon /> : <ListIcon />}
        depth={depth}
      />
    ) : null,
    <Level key={`in ${each.name}`} collections={collections} group={each.name} depth={depth + 1} />,
  ])
}

const FolderEntry = ({ text, depth }: { readonly text: string; readonly depth: number }) => {
  const [isOpen] = useSidebarState()
  if (!isOpen) return null
  return (
    <ListItem sx={{ py: 0.75, pl: 2 + depth * 2, color: 'text.secondary' }}>
      <ListItemIcon sx={{ minWidth: 38 }}>
        <FolderIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText slotProps={{ primary: { noWrap: true, variant: 'body2' } }}>{text}</ListItemText>
    </ListItem>
  )
}
