/** Light and dark, in the fonts of the system. Contrasts are those of WCAG AA. */
import { defaultDarkTheme, defaultLightTheme, type RaThemeOptions } from 'react-admin'

const shared: Partial<RaThemeOptions> = {
  shape: { borderRadius: 8 },
  sidebar: { width: 250, closedWidth: 55 },
  typography: {
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, Ubuntu, sans-serif',
    h6: { fontWeight: 600 },
    button: { textTransform: 'none', fontWeight: 600 },
  },
}

/** For people whose system asks for less motion. What shows that something is loading still turns. */
const withLessMotion = {
  '@media (prefers-reduced-motion: reduce)': {
    ':not([role="progressbar"], [role="progressbar"] *), ::before, ::after': {
      animationDuration: '0.01ms !important',
      animationIterationCount: '1 !important',
      transitionDuration: '0.01ms !important',
    },
  },
}

const components = (
  base: { readonly components?: unknown },
  line: string,
  back: string,
): NonNullable<RaThemeOptions['components']> => ({
  ...(base.components as RaThemeOptions['components']),
  MuiCssBaseline: { styleOverrides: withLessMotion },
  // In a dialog that is a form only the inputs scroll: its buttons, and why they were refused, stay in sight.
  MuiDialog: {
    styleOverrides: { paper: { '& > form': { display: 'flex', flexDirection: 'column', minHeight: 0 } } },
  },
  // Long words and several buttons have room in narrow windows, too.
  MuiDialogActions: { styleOverrides: { root: { flexWrap: 'wrap', rowGap: 8 } } },
  RaToolbar: {
    styleOverrides: {
      root: { '&.RaToolbar-desktopToolbar': { position: 'sticky', bottom: 0, zIndex: 2, backgroundColor: back } },
    },
  },
  RaTopToolbar: { styleOverrides: { root: { backgroundColor: 'transparent' } } },
  MuiAppBar: { defaultProps: { elevation: 0, color: 'default' } },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  // A card that cuts what is too wide by scrolling would keep the toolbar of a form from staying in sight.
  MuiCard: { styleOverrides: { root: { boxShadow: 'none', border: `1px solid ${line}`, overflow: 'clip' } } },
  MuiTextField: { defaultProps: { variant: 'outlined', size: 'small', margin: 'dense', fullWidth: true } },
  MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small', margin: 'dense', fullWidth: true } },
  MuiTableCell: {
    styleOverrides: { root: { overflowWrap: 'break-word', hyphens: 'auto' }, head: { fontWeight: 600 } },
  },
})

export const lightTheme: RaThemeOptions = {
  ...(defaultLightTheme as RaThemeOptions),
  ...shared,
  palette: {
    mode: 'light',
    primary: { main: '#4a3aff' },
    secondary: { main: '#4a3aff' },
    error: { main: '#b3261e' },
    background: { default: '#f6f7fb', paper: '#ffffff' },
    text: { primary: '#1d2433', secondary: '#566075' },
  },
  components: components(defaultLightTheme, '#e0e3eb', '#ffffff'),
}

export const darkTheme: RaThemeOptions = {
  ...(defaultDarkTheme as RaThemeOptions),
  ...shared,
  palette: {
    mode: 'dark',
    primary: { main: '#a79fff' },
    secondary: { main: '#a79fff' },
    error: { main: '#ff8f8f' },
    background: { default: '#10131a', paper: '#171b24' },
    text: { primary: '#eceff5', secondary: '#a9b2c3' },
  },
  components: components(defaultDarkTheme, '#2c3340', '#171b24'),
}
