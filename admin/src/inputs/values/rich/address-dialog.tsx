/** The address of a link, or the address and description of a picture. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material'
import type { Editor } from '@tiptap/core'
import { type FormEvent, useId, useState } from 'react'
import { useTranslate } from 'react-admin'
import { toText } from '../../../model/to-text.ts'

type Props = { readonly editor: Editor; readonly kind: 'link' | 'image'; readonly onClose: () => void }

export const AddressDialog = ({ editor, kind, onClose }: Props) => {
  const translate = useTranslate()
  const [before] = useState(() => (editor.isActive(kind) ? editor.getAttributes(kind) : null))
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    // The form of the item is around this one in React's tree.
    event.stopPropagation()
    const given = new FormData(event.currentTarget)
    const address = toText(given.get('address')).trim()
    onClose()
    if (kind === 'link') setLink(editor, address)
    else
      editor
        .chain()
        .focus()
        .setImage({ src: address, alt: toText(given.get('alt')) })
        .run()
  }
  const remove = (): void => {
    onClose()
    if (kind === 'link') editor.chain().focus().extendMarkRange('link').unsetLink().run()
    else editor.chain().focus().deleteSelection().run()
  }
  const titleId = useId()
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId} disableRestoreFocus>
      <form onSubmit={submit}>
        <DialogTitle id={titleId}>{translate(`app.format.${kind}`)}</DialogTitle>
        <DialogContent>
          <TextField
            name="address"
            label={translate('app.format.address')}
            defaultValue={toText(before?.[kind === 'link' ? 'href' : 'src'])}
            required
            autoFocus
          />
          {kind === 'image' && (
            <TextField
              name="alt"
              label={translate('app.format.alt')}
              helperText={translate('app.format.alt_hint')}
              defaultValue={toText(before?.['alt'])}
            />
          )}
        </DialogContent>
        <DialogActions>
          {before !== null && (
            <Button color="error" onClick={remove} sx={{ mr: 'auto' }}>
              {translate('ra.action.remove')}
            </Button>
          )}
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.format.apply')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** On the selected text or the link there; with nothing selected, the address itself becomes the text. */
function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus().extendMarkRange('link')
  if (editor.state.selection.empty && !editor.isActive('link'))
    chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
  else chain.setLink({ href }).run()
}
