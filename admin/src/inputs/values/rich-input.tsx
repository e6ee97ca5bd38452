/** HTML as it looks, or as source where the editor would lose some of it. */
import { Alert, Box, Button, FormHelperText, FormLabel, Paper, Stack } from '@mui/material'
import type { Editor } from '@tiptap/core'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useInput, useTranslate } from 'react-admin'
import { toText } from '../../model/to-text.ts'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'
import { FormattedInput } from './formatted-input.tsx'
import { lossOf, openEditor } from './rich/editor.ts'
import { RichToolbar } from './rich/toolbar.tsx'

/** A text opens in the editor if nothing of it would be lost there. */
export const RichInput = (common: Common) => {
  const translate = useTranslate()
  const { field } = useInput({ source: common.source })
  const text = toText(field.value)
  const [isSource, setIsSource] = useState(() => lossOf(text) !== null)
  const [openings, setOpenings] = useState(0)
  const open = (): void => {
    setIsSource(lossOf(text) !== null)
    setOpenings(openings + 1)
  }
  const loss = useMemo(() => (isSource ? lossOf(text) : null), [isSource, text])
  if (!isSource) return <VisualInput key={openings} {...common} onSource={() => setIsSource(true)} onReplaced={open} />
  return (
    <Box sx={{ my: 0.5 }}>
      {loss !== null && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {translate('app.format.only_source')}
          {loss.length > 0 && ` ${translate('app.format.lost', { names: loss.slice(0, 8).join(', ') })}`}
        </Alert>
      )}
      <FormattedInput
        {...common}
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

const VisualInput = ({ source, label, helperText, readOnly, validate, onSource, onReplaced }: Common & VisualProps) => {
  const translate = useTranslate()
  const { field, fieldState, isRequired } = useInput({ source, validate })
  const [labelId, helpId] = [useId(), useId()]
  const [editor, setEditor] = useState<Editor | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const text = toText(field.value)
  /** The text of the form that the editor shows. */
  const held = useRef(text)
  const change = useRef(field.onChange)
  change.current = field.onChange
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
  const error = fieldState.error?.message
  const help = error === undefined ? helperText : toProblem(error, translate)
  return (
    <Box sx={{ my: 1 }}>
      <FormLabel id={labelId} required={isRequired} error={fieldState.invalid} sx={{ display: 'block', mb: 0.5 }}>
        {label}
      </FormLabel>
      <Paper variant="outlined" sx={fieldState.invalid ? { borderColor: 'error.main' } : {}}>
        <Stack direction="row" sx={{ p: 0.5, alignItems: 'start', borderBottom: 1, borderColor: 'divider' }}>
          {editor !== null && !readOnly && <RichToolbar editor={editor} />}
          <Button size="small" sx={{ ml: 'auto' }} onClick={onSource}>
            {translate('app.format.source')}
          </Button>
        </Stack>
        <Box ref={place} onBlur={field.onBlur} sx={written} />
      </Paper>
      <FormHelperText id={helpId} error={error !== undefined}>
        {help}
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
