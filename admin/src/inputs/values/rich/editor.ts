/** The editor of HTML: TipTap with the formats that it keeps when it writes them back. */
import { Editor, generateHTML, generateJSON } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { TextAlign } from '@tiptap/extension-text-align'
import { StarterKit } from '@tiptap/starter-kit'
import { lostMarkup, toCanonical } from './markup.ts'

const extensions = [
  StarterKit.configure({
    // Nothing is written that nobody typed: no target, no rel, no empty paragraph at the end.
    link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null, class: null } },
    trailingNode: false,
  }),
  Image.configure({ inline: true }),
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
]

/** Items of lists have their texts directly, as they are usually written, unless they hold several paragraphs. */
function simplified(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const item of body.querySelectorAll('li')) {
    const [first, ...others] = item.children
    if (first?.localName !== 'p' || first.attributes.length > 0) continue
    if (others.every(({ localName }) => localName === 'ul' || localName === 'ol'))
      first.replaceWith(...first.childNodes)
  }
  return body.innerHTML
}

export const htmlOf = (editor: Editor): string => (editor.isEmpty ? '' : simplified(editor.getHTML()))

/** What the editor would lose of a text: names of markup, `[]` if only its arrangement, null if nothing. */
export function lossOf(html: string): readonly string[] | null {
  if (html.trim() === '') return null
  const kept = generateHTML(generateJSON(html, extensions), extensions)
  return toCanonical(html) === toCanonical(kept) ? null : lostMarkup(html, kept)
}

export type Place = { readonly element: HTMLElement; readonly attributes: { readonly [name: string]: string } }

/** `onChange` is told the HTML after each change that a person makes; the text as it came where it is again the same. */
export function openEditor({ element, attributes }: Place, html: string, onChange: (html: string) => void): Editor {
  const editor = new Editor({
    element,
    extensions,
    content: html,
    editorProps: { attributes },
    onUpdate: ({ editor: changed }) => onChange(changed.state.doc.eq(first) ? html : htmlOf(changed)),
  })
  const first = editor.state.doc
  return editor
}
