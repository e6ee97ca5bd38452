/** HTML as it looks, or as source where the editor would lose some of it. */
import { Alert, Box, Button, FormHelperText, FormLabel, Paper, Stack } from '@mui/material'
import type { Editor } from '@tiptap/core'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import type { Common } from '../common.ts'
import { type BoundText, useFormText } from './bound-text.ts'
import { FormattedText } from './formatted-input.tsx'
import { lossOf, openEditor } from './rich/editor.ts'
import { RichToolbar } from './rich/toolbar.tsx'

export const RichInput = (common: Common) => <RichText {...common} {...useFormText(common)} />

type Props = Pick<Common, 'label' | 'helperText' | 'readOnly' | 'placeholder'> & BoundText

/** A text opens in the editor if nothing of it would be lost there. */
export const RichText = (props: Props) => {
  const translate = useTranslate()
  const { text } = props
  const [isSource, setIsSource] = useState(() => lossOf(text) !== null)
  const [openings, setOpenings] = useState(0)
  const open = (): void => {
    setIsSource(lossOf(text) !== null)
    setOpenings(openings + 1)
  }
  const loss = useMemo(() => (isSource ? lossOf(text) : null), [isSource, text])
  if (!isSource) return <VisualText key={openings} {...props} onSource={() => setIsSource(true)} onReplaced={open} />
  return (
    <Box sx={{ my: 0.5 }}>
      {loss !== null && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {translate('app.format.only_source')}
          {loss.length > 0 && ` ${translate('app.format.lost', { names: loss.slice(0, 8).join(', ') })}`}
        </Alert>
      )}
      <FormattedText
        {...props}
        markup="html"
        beside={
          <Button size="small" disabled={loss !== null} onClick={() => setIsSource(false)}>
            {translate('app.format.visual')}
          </Button>
        }
      />
    </Box>
  )
}

const VisualText = ({
  label,
  helperText,
  readOnly,
  text,
  onChange,
  onBlur,
  isRequired,
  problem,
  onSource,
  onReplaced,
}: Props & VisualProps) => {
  const translate = useTranslate()
  const [labelId, helpId] = [useId(), useId()]
  const [editor, setEditor] = useState<Editor | null>(null)
  const place = useRef<HTMLDivElement>(null)
  /** The text of the form that the editor shows. */
  const held = useRef(text)
  const change = useRef(onChange)
  change.current = onChange
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is opened once, with the text of then.
  useEffect(() => {
    if (place.current === null) return undefined
    const attributes = {
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-labelledby': labelId,
      'aria-describedby': helpId,
    }
    const made = openEditor({ element: place.current, attributes }, text, (html) => {
      held.current = html
      change.current(html)
    })
    setEditor(made)
    return () => made.destroy()
  }, [])
  useEffect(() => {
    if (text !== held.current) onReplaced()
  }, [text, onReplaced])
  useEffect(() => {
    editor?.setOptions({ editable: !readOnly })
  }, [editor, readOnly])
  const isWrong = problem !== undefined
  return (
    <Box sx={{ my: 1 }}>
      <FormLabel id={labelId} required={isRequired === true} error={isWrong} sx={{ display: 'block', mb: 0.5 }}>
        {label}
      </FormLabel>
      <Paper variant="outlined" sx={isWrong ? { borderColor: 'error.main' } : {}}>
        <Stack direction="row" sx={{ p: 0.5, alignItems: 'start', borderBottom: 1, borderColor: 'divider' }}>
          {editor !== null && !readOnly && <RichToolbar editor={editor} />}
          <Button size="small" sx={{ ml: 'auto' }} onClick={onSource}>
            {translate('app.format.source')}
          </Button>
        </Stack>
        <Box ref={place} onBlur={onBlur} sx={written} />
      </Paper>
      <FormHelperText id={helpId} error={isWrong}>
        {problem ?? helperText}
      </FormHelperText>
    </Box>
  )
}

type VisualProps = {
  readonly onSource: () => void
  /** The form got another text, such as that of the server. */
  readonly onReplaced: () => void
}

const written = {
  '& .ProseMirror': {
    minHeight: '10rem',
    maxHeight: '32rem',
    overflow: 'auto',
    px: 2,
    py: 1,
    overflowWrap: 'anywhere',
  },
  '& .ProseMirror:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -2 },
  '& li > p': { my: 0.25 },
  '& img': { maxWidth: '100%', height: 'auto' },
  '& blockquote': { borderLeft: 3, borderColor: 'divider', ml: 0, pl: 2 },
  '& pre': { bgcolor: 'action.hover', p: 1, borderRadius: 1, whiteSpace: 'pre-wrap' },
} as const
