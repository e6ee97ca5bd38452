/** The buttons of the editor of HTML. */
import CodeIcon from '@mui/icons-material/Code'
import CenterIcon from '@mui/icons-material/FormatAlignCenter'
import RightIcon from '@mui/icons-material/FormatAlignRight'
import BoldIcon from '@mui/icons-material/FormatBold'
import ItalicIcon from '@mui/icons-material/FormatItalic'
import ListIcon from '@mui/icons-material/FormatListBulleted'
import NumbersIcon from '@mui/icons-material/FormatListNumbered'
import QuoteIcon from '@mui/icons-material/FormatQuote'
import UnderlineIcon from '@mui/icons-material/FormatUnderlined'
import RuleIcon from '@mui/icons-material/HorizontalRule'
import ImageIcon from '@mui/icons-material/ImageOutlined'
import LinkIcon from '@mui/icons-material/Link'
import RedoIcon from '@mui/icons-material/Redo'
import StrikeIcon from '@mui/icons-material/StrikethroughS'
import UndoIcon from '@mui/icons-material/Undo'
import { Box, IconButton, MenuItem, TextField, Tooltip } from '@mui/material'
import type { Editor } from '@tiptap/core'
import { type ReactNode, useEffect, useReducer, useState } from 'react'
import { useTranslate } from 'react-admin'
import { AddressDialog } from './address-dialog.tsx'

type Command = {
  readonly name: string
  readonly icon: ReactNode
  readonly run: (editor: Editor) => unknown
  readonly isOn?: (editor: Editor) => boolean
  readonly isPossible?: (editor: Editor) => boolean
}

const small = { fontSize: 'small' } as const
const mark = (name: string, type: string, icon: ReactNode): Command => ({
  name,
  icon,
  run: (editor) => editor.chain().focus().toggleMark(type).run(),
  isOn: (editor) => editor.isActive(type),
})
const align = (side: string, icon: ReactNode): Command => ({
  name: side,
  icon,
  run: (editor) => editor.chain().focus().toggleTextAlign(side).run(),
  isOn: (editor) => editor.isActive({ textAlign: side }),
})

const commands: readonly Command[] = [
  mark('bold', 'bold', <BoldIcon {...small} />),
  mark('italic', 'italic', <ItalicIcon {...small} />),
  mark('underline', 'underline', <UnderlineIcon {...small} />),
  mark('strike', 'strike', <StrikeIcon {...small} />),
  mark('code', 'code', <CodeIcon {...small} />),
  {
    name: 'list',
    icon: <ListIcon {...small} />,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    isOn: (editor) => editor.isActive('bulletList'),
  },
  {
    name: 'numbers',
    icon: <NumbersIcon {...small} />,
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    isOn: (editor) => editor.isActive('orderedList'),
  },
  {
    name: 'quote',
    icon: <QuoteIcon {...small} />,
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
    isOn: (editor) => editor.isActive('blockquote'),
  },
  align('center', <CenterIcon {...small} />),
  align('right', <RightIcon {...small} />),
  { name: 'rule', icon: <RuleIcon {...small} />, run: (editor) => editor.chain().focus().setHorizontalRule().run() },
]

const history: readonly Command[] = [
  {
    name: 'undo',
    icon: <UndoIcon {...small} />,
    run: (editor) => editor.chain().focus().undo().run(),
    isPossible: (editor) => editor.can().undo(),
  },
  {
    name: 'redo',
    icon: <RedoIcon {...small} />,
    run: (editor) => editor.chain().focus().redo().run(),
    isPossible: (editor) => editor.can().redo(),
  },
]

export const RichToolbar = ({ editor }: { readonly editor: Editor }) => {
  const translate = useTranslate()
  const [, update] = useReducer((count: number) => count + 1, 0)
  const [asked, setAsked] = useState<'link' | 'image' | null>(null)
  useEffect(() => {
    editor.on('transaction', update)
    return () => void editor.off('transaction', update)
  }, [editor])
  const ask = (name: 'link' | 'image', icon: ReactNode): Command => ({
    name,
    icon,
    run: () => setAsked(name),
    isOn: () => editor.isActive(name),
  })
  const all = [...commands, ask('link', <LinkIcon {...small} />), ask('image', <ImageIcon {...small} />), ...history]
  return (
    <Box role="toolbar" aria-label={translate('app.format.title')} sx={{ display: 'flex', flexWrap: 'wrap', flex: 1 }}>
      <BlockChoice editor={editor} />
      {all.map((command) => (
        <CommandButton key={command.name} editor={editor} command={command} />
      ))}
      {asked !== null && <AddressDialog editor={editor} kind={asked} onClose={() => setAsked(null)} />}
    </Box>
  )
}

const CommandButton = ({ editor, command }: { readonly editor: Editor; readonly command: Command }) => {
  const translate = useTranslate()
  const isOn = command.isOn?.(editor)
  return (
    <Tooltip title={translate(`app.format.${command.name}`)}>
      <span>
        <IconButton
          size="small"
          aria-label={translate(`app.format.${command.name}`)}
          aria-pressed={isOn}
          color={isOn ? 'primary' : 'default'}
          disabled={command.isPossible?.(editor) === false}
          // The selection of the text stays.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => command.run(editor)}
        >
          {command.icon}
        </IconButton>
      </span>
    </Tooltip>
  )
}

const every = [1, 2, 3, 4, 5, 6] as const
/** The first level is the title of a page, and deep ones are rare: they are offered where they are. */
const usual: readonly number[] = [2, 3, 4]

const BlockChoice = ({ editor }: { readonly editor: Editor }) => {
  const translate = useTranslate()
  const heading = every.find((level) => editor.isActive('heading', { level }))
  const now = editor.isActive('codeBlock') ? 'code' : heading === undefined ? 'text' : `h${heading}`
  const choose = (next: string): void => {
    const chain = editor.chain().focus()
    if (next === 'text') chain.setParagraph().run()
    else if (next === 'code') chain.setCodeBlock().run()
    else chain.setHeading({ level: every.find((level) => `h${level}` === next) ?? 2 }).run()
  }
  return (
    <TextField
      select
      value={now}
      onChange={({ target }) => choose(target.value)}
      margin="none"
      fullWidth={false}
      sx={{ minWidth: '8.5rem', mr: 0.5 }}
      slotProps={{ select: { inputProps: { 'aria-label': translate('app.format.block') } } }}
    >
      <MenuItem value="text">{translate('app.format.text')}</MenuItem>
      {every
        .filter((level) => usual.includes(level) || level === heading)
        .map((level) => (
          <MenuItem key={level} value={`h${level}`}>
            {translate('app.format.heading_level', { level })}
          </MenuItem>
        ))}
      <MenuItem value="code">{translate('app.format.code_block')}</MenuItem>
    </TextField>
  )
}
