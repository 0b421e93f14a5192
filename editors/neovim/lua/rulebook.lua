-- Starts the language server of rulebooks, with the client that this version of Neovim has.

local M = {}

local function root(file, markers)
  local found = nil
  if vim.fs and vim.fs.find then
    found = vim.fs.find(markers, { path = vim.fn.fnamemodify(file, ':h'), upward = true })[1]
    return found and vim.fn.fnamemodify(found, ':h')
  end
  for _, marker in ipairs(markers) do
    local where = vim.fn.fnamemodify(file, ':p:h') .. ';'
    found = vim.fn.findfile(marker, where)
    if found == '' then
      found = vim.fn.finddir(marker, where)
    end
    if found ~= '' then
      return vim.fn.fnamemodify(found, ':p:h:s?[/\\\\]\\.git$??')
    end
  end
end

-- 0.7: clients are kept by the folder of their files, since there is no `vim.lsp.start`.
local clients = {}

local function start_alone(config, buffer)
  local key = config.root_dir or ''
  if clients[key] and vim.lsp.client_is_stopped(clients[key]) then
    clients[key] = nil
  end
  clients[key] = clients[key] or vim.lsp.start_client(config)
  if clients[key] then
    vim.lsp.buf_attach_client(buffer, clients[key])
  end
end

--- Starts the server for each rulebook that is opened. The options are those of a client of
--- Neovim's: `cmd`, `on_attach`, `capabilities`, `settings` and the others; none is needed.
function M.setup(options)
  options = options or {}
  local config = vim.tbl_extend('force', {
    name = 'rulebook',
    cmd = { 'RulebookTranslator', 'lsp' },
    filetypes = { 'rulebook' },
    root_markers = { 'rulebook.toml', '.git' },
  }, options)
  if vim.fn.executable(config.cmd[1]) == 0 then
    vim.notify(
      ('rulebook: there is no program %s: install Stalwart, or set `cmd`'):format(config.cmd[1]),
      vim.log.levels.WARN
    )
    return
  end
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.config('rulebook', config)
    vim.lsp.enable('rulebook')
    return
  end
  local markers = config.root_markers
  config.filetypes = nil
  config.root_markers = nil
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'rulebook',
    group = vim.api.nvim_create_augroup('rulebook', { clear = true }),
    callback = function(event)
      local folder = root(vim.api.nvim_buf_get_name(event.buf), markers)
      local own = vim.tbl_extend('keep', config, { root_dir = folder })
      if vim.lsp.start then
        vim.lsp.start(own, { bufnr = event.buf })
      else
        start_alone(own, event.buf)
      end
    end,
  })
end

return M
