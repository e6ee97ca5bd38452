/** The frame of all pages: bar, menu, content. */
import AccountIcon from '@mui/icons-material/AccountCircle'
import { Button, Menu, MenuItem } from '@mui/material'
import { type ReactNode, useCallback, useState } from 'react'
import { AppBar, Layout, TitlePortal, useGetIdentity, useLogout, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { forgetAllDrafts } from '../api/drafts.ts'
import { AppMenu } from './menu.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { ViewedUser } from './viewed-user.tsx'

const Account = () => {
  const translate = useTranslate()
  const logout = useLogout()
  const { identity } = useGetIdentity()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isHelping, setIsHelping] = useState(false)
  const openKeys = useCallback(() => setIsHelping(true), [])
  const leave = (): void => {
    forgetAllDrafts()
    void logout()
  }
  const name = identity?.fullName ?? ''
  return (
    <>
      <Button
        color="inherit"
        startIcon={<AccountIcon />}
        aria-haspopup="menu"
        aria-label={translate('app.menu.account', { name })}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ maxWidth: '14rem', minWidth: 0 }}
      >
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{name}</span>
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem component={Link} to="/profile" onClick={() => setAnchor(null)}>
          {translate('app.menu.profile')}
        </MenuItem>
        <MenuItem
          onClick={() => {
            setAnchor(null)
            openKeys()
          }}
        >
          {translate('app.keys.title')}
        </MenuItem>
        <MenuItem onClick={leave}>{translate('app.menu.logout')}</MenuItem>
      </Menu>
      <Shortcuts isOpen={isHelping} onOpen={openKeys} onClose={() => setIsHelping(false)} />
    </>
  )
}

/** In a narrow window the buttons are only icons, so that the title has room. */
const Bar = () => (
  <AppBar
    alwaysOn
    userMenu={<Account />}
    sx={{
      '& .MuiToolbar-root .MuiButton-root': { fontSize: { xs: 0, sm: '0.875rem' }, minWidth: 0 },
      '& .MuiButton-endIcon': { display: { xs: 'none', sm: 'inherit' } },
      '& #react-admin-title': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', mr: 1 },
      '& #react-admin-title *': { display: 'inline' },
    }}
  >
    <TitlePortal component="h1" />
  </AppBar>
)

/** Wide tables scroll by themselves, not the page. */
const narrow = {
  '&.RaLayout-root, &': { minWidth: 0 },
  '& .RaLayout-appFrame, & .RaLayout-contentWithSidebar, & .RaLayout-content, & .RaList-main, & .RaList-content': {
    minWidth: 0,
    maxWidth: '100%',
  },
  '& .RaLayout-content': { px: { xs: 1, md: 2 } },
}

export const AppLayout = ({ children }: { readonly children: ReactNode }) => (
  <Layout appBar={Bar} menu={AppMenu} sx={narrow}>
    <ViewedUser />
    {children}
  </Layout>
)
