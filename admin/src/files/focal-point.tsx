/** A picture in which a click sets the point that crops keep. */
import { Box, Typography } from '@mui/material'
import type { MouseEvent } from 'react'
import { useRecordContext, useTranslate } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { type Row, toServerUrl } from '../client.ts'
import type { Collection } from '../model/model.ts'
import { hasFieldRight } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { Picture } from './picture.tsx'

/** Inside the form of the file. */
export const FocalPoint = ({ collection }: { readonly collection: Collection }) => {
  const translate = useTranslate()
  const file = useRecordContext<Row & { readonly id: string }>()
  const { setValue } = useFormContext()
  const [x, y] = useWatch({ name: ['focal_point_x', 'focal_point_y'] }) as readonly (number | null | undefined)[]
  const [width, height] = [Number(file?.['width'] ?? 0), Number(file?.['height'] ?? 0)]
  if (file === undefined || !toText(file['type']).startsWith('image/')) return null
  const isMovable = width > 0 && height > 0 && hasFieldRight(collection, 'update', 'focal_point_x')
  const set = ({ nativeEvent, currentTarget }: MouseEvent<HTMLImageElement>): void => {
    const { clientWidth, clientHeight } = currentTarget
    const touched = { shouldDirty: true, shouldTouch: true }
    setValue('focal_point_x', Math.round((nativeEvent.offsetX / clientWidth) * width), touched)
    setValue('focal_point_y', Math.round((nativeEvent.offsetY / clientHeight) * height), touched)
  }
  const isSet = isMovable && typeof x === 'number' && typeof y === 'number'
  return (
    <Box sx={{ mb: 1 }}>
      <Box sx={{ position: 'relative', display: 'inline-block', maxWidth: '100%' }}>
        {/* The point can also be typed, in the inputs of the form. */}
        <Picture
          src={toServerUrl(`assets/${file.id}?width=800&withoutEnlargement=true`)}
          alt={toText(file['title'])}
          onClick={isMovable ? set : undefined}
          style={{
            maxWidth: '100%',
            maxHeight: '24rem',
            borderRadius: 8,
            display: 'block',
            cursor: isMovable ? 'crosshair' : 'auto',
          }}
        />
        {isSet && (
          <Box
            data-focal-point=""
            sx={{
              position: 'absolute',
              left: `${(100 * x) / width}%`,
              top: `${(100 * y) / height}%`,
              width: 22,
              height: 22,
              transform: 'translate(-50%, -50%)',
              border: '3px solid #fff',
              borderRadius: '50%',
              boxShadow: '0 0 0 2px #000',
              pointerEvents: 'none',
            }}
          />
        )}
      </Box>
      {isMovable && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {translate('app.files.focal_hint', { width, height })}
        </Typography>
      )}
    </Box>
  )
}
