// Light or dark: as the system wants it, until somebody says otherwise.
import { signal } from '@preact/signals'

const kept = 'hubu-studio-theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const own = localStorage.getItem(kept)

export const theme = signal<'light' | 'dark'>(
  own === 'light' || own === 'dark' ? own : system.matches ? 'dark' : 'light',
)

const show = () => void (document.documentElement.dataset.theme = theme.value)
show()
system.addEventListener('change', () => {
  if (localStorage.getItem(kept) !== null) return
  theme.value = system.matches ? 'dark' : 'light'
  show()
})

export function turnTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem(kept, theme.value)
  show()
}
