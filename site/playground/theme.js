try {
  const kept = localStorage.getItem('vitepress-theme-appearance') || 'auto'
  if (kept === 'dark' || (kept === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches))
    document.documentElement.classList.add('dark')
} catch {}
