/** The pages of the platform that a user may open. */

import RolesIcon from '@mui/icons-material/GroupsOutlined'
import ExplainIcon from '@mui/icons-material/HelpOutlineOutlined'
import ActivityIcon from '@mui/icons-material/HistoryOutlined'
import MovingOnIcon from '@mui/icons-material/MoveUpOutlined'
import FilesIcon from '@mui/icons-material/PermMediaOutlined'
import UsersIcon from '@mui/icons-material/PersonOutlined'
import PoliciesIcon from '@mui/icons-material/PolicyOutlined'
import ModelIcon from '@mui/icons-material/SchemaOutlined'
import SettingsIcon from '@mui/icons-material/SettingsOutlined'
import WebhooksIcon from '@mui/icons-material/WebhookOutlined'
import type { ReactElement } from 'react'
import type { Model } from '../model/model.ts'
import { mayRead } from './may-read.ts'

export type MenuPage = { readonly to: string; readonly name: string; readonly icon: ReactElement }

export type MenuSection = { readonly section: string; readonly pages: readonly MenuPage[] }

const when = (isShown: boolean, to: string, name: string, icon: ReactElement): readonly MenuPage[] =>
  isShown ? [{ to, name, icon }] : []

export function pagesOf(model: Model): readonly MenuSection[] {
  const { isAdmin } = model
  return [
    { section: 'platform', pages: when(mayRead(model, 'files'), '/files', 'files', <FilesIcon />) },
    {
      section: 'access',
      pages: [
        ...when(isAdmin, '/system/users', 'users', <UsersIcon />),
        ...when(isAdmin, '/system/roles', 'roles', <RolesIcon />),
        ...when(isAdmin, '/system/policies', 'policies', <PoliciesIcon />),
        ...when(true, '/explain', 'explain', <ExplainIcon />),
      ],
    },
    {
      section: 'administration',
      pages: [
        ...when(isAdmin, '/model', 'model', <ModelIcon />),
        ...when(isAdmin, '/settings', 'settings', <SettingsIcon />),
        ...when(isAdmin, '/system/activity', 'activity', <ActivityIcon />),
        ...when(isAdmin, '/system/webhooks', 'webhooks', <WebhooksIcon />),
        ...when(isAdmin, '/moving-on', 'moving_on', <MovingOnIcon />),
      ],
    },
  ].filter(({ pages }) => pages.length > 0)
}
