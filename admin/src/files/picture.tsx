/** A picture by the asset API, or what is wrong with its contents. */
import BrokenIcon from '@mui/icons-material/BrokenImageOutlined'
import { Stack, Typography } from '@mui/material'
import { type ImgHTMLAttributes, useState } from 'react'
import { useTranslate } from 'react-admin'
import { type ContentsProblem, contentsProblem } from './contents.ts'

type Props = ImgHTMLAttributes<HTMLImageElement> & {
  readonly src: string
  /** Too small for words: the icon has them as its name. */
  readonly isSmall?: boolean
}

export const Picture = ({ src, ...props }: Props) => <LoadedPicture key={src} src={src} {...props} />

const LoadedPicture = ({ src, isSmall = false, ...props }: Props) => {
  const translate = useTranslate()
  const [problem, setProblem] = useState<ContentsProblem | null>(null)
  if (problem === null) {
    const ask = () => contentsProblem(src).catch(() => null)
    const look = (): void => void ask().then((reason) => setProblem(reason ?? 'damaged'))
    return <img {...props} src={src} alt={props.alt ?? ''} onError={look} />
  }
  const text = translate(`app.file.${problem}`)
  if (isSmall) return <BrokenIcon titleAccess={text} color="disabled" />
  return (
    <Stack sx={{ alignItems: 'center', justifyContent: 'center', minHeight: 120, p: 1, color: 'text.secondary' }}>
      <BrokenIcon />
      <Typography variant="caption" sx={{ textAlign: 'center' }}>
        {text}
      </Typography>
    </Stack>
  )
}
