import { createCurrentClient, files } from '@tandem/sdk/current'

/** Uploads a picture and a film, and shows the picture turned around. */
export async function showPicture(url: string, token: string, picture: File, image: HTMLImageElement) {
  const client = createCurrentClient({ url, token }).with({ files })
  const file = await client.files.upload(
    picture,
    { title: 'Hills', tags: ['sea'] },
    { onProgress: ({ sent }) => console.log(sent) },
  )
  if (file === undefined) throw new Error('the file cannot be read back')
  await client.files.replace(file.id, { path: 'hills.jpg' })
  const film = await client.files.uploadResumable({ path: 'film.mp4' }, { folder: file.folder })
  image.src = client.files.assetUrl(file.id, { width: 400, format: 'webp', transforms: [['rotate', 90]] })
  return film
}
