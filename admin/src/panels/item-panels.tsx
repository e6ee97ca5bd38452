/** The buttons above an item, which open its history, its versions and its shares. */
import HistoryIcon from '@mui/icons-material/HistoryOutlined'
import VersionsIcon from '@mui/icons-material/LayersOutlined'
import SharesIcon from '@mui/icons-material/ShareOutlined'
import { Button } from '@mui/material'
import { type ComponentType, type ReactElement, useState } from 'react'
import { useRecordContext, useTranslate } from 'react-admin'
import { mayRead } from '../layout/may-read.ts'
import { later } from '../lazy.tsx'
import { type Collection, hasRight, type Model } from '../model/model.ts'
import { DuplicateButton } from './duplicate.tsx'
import type { PanelProps } from './panel.ts'

const History = later(() => import('./history.tsx'), 'History')
const Versions = later(() => import('./versions.tsx'), 'Versions')
const Shares = later(() => import('./shares.tsx'), 'Shares')

type Props = { readonly model: Model; readonly collection: Collection }

export const ItemPanels = ({ model, collection }: Props) => {
  const isOwn = !collection.isSystem
  return (
    <>
      {isOwn && <DuplicateButton collection={collection} />}
      {isOwn && collection.meta.versioning && mayRead(model, 'versions') && (
        <PanelButton {...{ model, collection }} name="versions" icon={<VersionsIcon />} panel={Versions} />
      )}
      {isOwn && hasRight(collection, 'share') && mayRead(model, 'shares') && (
        <PanelButton {...{ model, collection }} name="shares" icon={<SharesIcon />} panel={Shares} />
      )}
      <PanelButton {...{ model, collection }} name="history" icon={<HistoryIcon />} panel={History} />
    </>
  )
}

type ButtonProps = Props & {
  readonly name: string
  readonly icon: ReactElement
  readonly panel: ComponentType<PanelProps>
}

const PanelButton = ({ model, collection, name, icon, panel: Panel }: ButtonProps) => {
  const translate = useTranslate()
  const record = useRecordContext()
  const [isOpen, setIsOpen] = useState(false)
  if (record === undefined) return null
  return (
    <>
      <Button size="small" startIcon={icon} onClick={() => setIsOpen(true)}>
        {translate(`app.${name}.title`)}
      </Button>
      {isOpen && <Panel {...{ model, collection }} item={String(record.id)} onClose={() => setIsOpen(false)} />}
    </>
  )
}
