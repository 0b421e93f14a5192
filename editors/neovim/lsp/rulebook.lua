-- What `vim.lsp.enable('rulebook')` of Neovim 0.11 and later takes.
return {
  cmd = { 'RulebookTranslator', 'lsp' },
  filetypes = { 'rulebook' },
  root_markers = { 'rulebook.toml', '.git' },
}
