/** A change of the data model that a dialog makes: the dialog stays open and says why it was refused. */
import { Alert } from '@mui/material'
import { type ReactNode, useState } from 'react'
import { useModelChange } from './use-model-change.ts'

type DialogChange = {
  readonly change: (work: () => Promise<unknown>) => Promise<boolean>
  /** Above the buttons, which a notice of the page may cover. */
  readonly problem: ReactNode
}

export function useDialogChange(): DialogChange {
  const [text, setText] = useState<string | null>(null)
  const change = useModelChange(setText)
  return {
    change: (work) => {
      setText(null)
      return change(work)
    },
    problem: text !== null && (
      <Alert severity="error" sx={{ mx: 3, flexShrink: 0, whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {text}
      </Alert>
    ),
  }
}
