/** How Markdown or HTML looks, without what could run scripts. */
import { Box } from '@mui/material'
import DOMPurify from 'dompurify'
import MarkdownIt from 'markdown-it'
import { useEffect, useRef } from 'react'
import type { Markup } from './formats.ts'

const markdown = new MarkdownIt({ html: true, linkify: true })

/** Styles, forms and names could change the page around the preview. */
const limits = { FORBID_TAGS: ['style', 'form', 'input', 'button'], FORBID_ATTR: ['id', 'name', 'style'] }

export const Preview = ({ text, markup }: { readonly text: string; readonly markup: Markup }) => {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const html = markup === 'markdown' ? markdown.render(text) : text
    box.current?.replaceChildren(DOMPurify.sanitize(html, { ...limits, RETURN_DOM_FRAGMENT: true }))
  }, [text, markup])
  return (
    <Box
      ref={box}
      sx={{ overflowWrap: 'anywhere', '& img, & iframe': { maxWidth: '100%' }, '& pre': { whiteSpace: 'pre-wrap' } }}
    />
  )
}
