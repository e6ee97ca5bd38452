/** The pages of a section of the menu, each with a sentence: `/access`, `/administration`. */
import { Box, Card, CardActionArea, CardContent, Stack, Typography } from '@mui/material'
import { Title, usePermissions, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import type { Model } from '../model/model.ts'
import { pagesOf } from './pages.tsx'

const SectionPage = ({ name }: { readonly name: string }) => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  if (model === undefined) return null
  const pages = pagesOf(model).find(({ section }) => section === name)?.pages ?? []
  return (
    <Box sx={{ py: 2, maxWidth: '70rem' }}>
      <Title title={`app.menu.${name}`} />
      <Box
        component="ul"
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(18rem, 100%), 1fr))',
          p: 0,
          m: 0,
          listStyle: 'none',
        }}
      >
        {pages.map((page) => (
          <Card component="li" key={page.to}>
            <CardActionArea component={Link} to={page.to} sx={{ height: '100%' }}>
              <CardContent>
                <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
                  {page.icon}
                  <Typography sx={{ fontWeight: 600 }}>{translate(`app.menu.${page.name}`)}</Typography>
                </Stack>
                <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
                  {translate(`app.about.${page.name}`)}
                </Typography>
              </CardContent>
            </CardActionArea>
          </Card>
        ))}
      </Box>
    </Box>
  )
}

export const AccessPage = () => <SectionPage name="access" />

export const AdministrationPage = () => <SectionPage name="administration" />
