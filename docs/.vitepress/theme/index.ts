/// <reference types="vitepress/client" />
/** The default theme without its fonts, which would be loaded for their look alone. */
import Theme from 'vitepress/theme-without-fonts'
import './style.css'

export default Theme
