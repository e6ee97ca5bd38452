/** Markdown or HTML: its text with buttons for formats, and how it looks. */
import BoldIcon from '@mui/icons-material/FormatBold'
import ItalicIcon from '@mui/icons-material/FormatItalic'
import ListIcon from '@mui/icons-material/FormatListBulleted'
import QuoteIcon from '@mui/icons-material/FormatQuote'
import LinkIcon from '@mui/icons-material/Link'
import HeadingIcon from '@mui/icons-material/Title'
import { Box, Button, IconButton, Paper, Stack, TextField, Tooltip, Typography } from '@mui/material'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { laterPart } from '../../lazy.tsx'
import type { Common } from '../common.ts'
import { type BoundText, useFormText } from './bound-text.ts'
import { type Format, formatNames, type Markup, withFormat } from './formats.ts'

const Preview = laterPart(() => import('./preview.tsx'), 'Preview')

const icons = {
  bold: BoldIcon,
  italic: ItalicIcon,
  heading: HeadingIcon,
  list: ListIcon,
  quote: QuoteIcon,
  link: LinkIcon,
} as const satisfies { readonly [format in Format]: unknown }

type Options = {
  readonly markup: Markup
  readonly rows?: number
  /** Shown beside the button of the preview. */
  readonly beside?: ReactNode
}

export const FormattedInput = (props: Common & Options) => <FormattedText {...props} {...useFormText(props)} />

type Props = Pick<Common, 'label' | 'helperText' | 'readOnly' | 'placeholder'> & BoundText & Options

export const FormattedText = ({
  markup,
  beside,
  placeholder,
  rows = 6,
  label,
  helperText,
  readOnly,
  text,
  onChange,
  problem,
  ...input
}: Props) => {
  const translate = useTranslate()
  const [isPreview, setIsPreview] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const apply = (format: Format): void => {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = area.current ?? {}
    const next = withFormat({ text, start, end }, format, markup)
    onChange(next.text)
    // The selection is set after the new text is in the input.
    setTimeout(() => {
      area.current?.focus()
      area.current?.setSelectionRange(next.start, next.end)
    })
  }
  return (
    <Box sx={{ my: 0.5 }}>
      <Stack direction="row" sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        {!readOnly && !isPreview && <Buttons onChoose={apply} />}
        {isPreview && <Typography variant="body2">{label}</Typography>}
        <Box sx={{ ml: 'auto' }}>{beside}</Box>
        <Button size="small" onClick={() => setIsPreview(!isPreview)}>
          {translate(isPreview ? 'app.format.write' : 'app.format.preview')}
        </Button>
      </Stack>
      {isPreview ? (
        <Paper variant="outlined" sx={{ px: 2, minHeight: '10rem' }}>
          <Preview text={text} markup={markup} />
        </Paper>
      ) : (
        <TextField
          id={input.id}
          name={input.name}
          inputRef={area}
          label={label}
          placeholder={placeholder}
          multiline
          minRows={rows}
          maxRows={30}
          margin="none"
          required={input.isRequired === true}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          onBlur={input.onBlur}
          error={problem !== undefined}
          helperText={problem ?? (helperText || undefined)}
          slotProps={{ htmlInput: { readOnly, ...(markup === 'html' && { style: { fontFamily: 'monospace' } }) } }}
        />
      )}
    </Box>
  )
}

const Buttons = ({ onChoose }: { readonly onChoose: (format: Format) => void }) => {
  const translate = useTranslate()
  return (
    <Box role="toolbar" aria-label={translate('app.format.title')}>
      {formatNames.map((name) => {
        const Icon = icons[name]
        return (
          <Tooltip key={name} title={translate(`app.format.${name}`)}>
            <IconButton size="small" onClick={() => onChoose(name)}>
              <Icon fontSize="small" />
            </IconButton>
          </Tooltip>
        )
      })}
    </Box>
  )
}
