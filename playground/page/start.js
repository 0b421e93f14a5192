// The page is shown before its program starts.
requestAnimationFrame(() => setTimeout(() => import('./playground.js')));
