-- What a person does with a rulebook in Neovim, through Neovim's own client; tests/editors/neovim.rs
-- runs it. $RULEBOOK_SERVER is the server, $RULEBOOK_FILE a file to write and to open.

local mistaken = [[
define context
  $order_paid: bool
  $amount: number

define bot refuse order
  "No. 💶"

define subflow check amount
  if $amount > 100
    bot refuse order
    exit

define flow refunds
  do check amount
  if $order_paid :
    execute refund_card(note="💶", order=$order_id)
  else
    bot refuse order
]]

local function check(what, holds, shown)
  if not holds then
    error(('%s: %s'):format(what, vim.inspect(shown)), 0)
  end
end

local function wait(what, holds, shown)
  check(what, vim.wait(10000, holds, 20), shown and shown())
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
end

local function go_to(words, nth)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  for _ = 1, nth or 1 do
    check('search for ' .. words, vim.fn.search('\\V' .. words, 'W') > 0, text())
  end
end

local function findings()
  return vim.diagnostic.get(0)
end

local function scenario()
  local file = assert(io.open(vim.env.RULEBOOK_FILE, 'w'))
  file:write(mistaken)
  file:close()
  require('rulebook').setup({ cmd = { vim.env.RULEBOOK_SERVER, 'lsp' } })
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.RULEBOOK_FILE))
  check('file type', vim.bo.filetype == 'rulebook', vim.bo.filetype)
  check('comments', vim.bo.commentstring == '# %s', vim.bo.commentstring)
  check('colours', vim.fn.synIDattr(vim.fn.synID(8, 1, 1), 'name') == 'rulebookDefine')
  check('colours', vim.fn.synIDattr(vim.fn.synID(16, 13, 1), 'name') == 'rulebookTool')

  wait('a finding of the opened file', function() return #findings() == 1 end, findings)
  check('its place', findings()[1].lnum == 10 and findings()[1].col == 4, findings())
  check('its code', tostring(findings()[1].code):match('^RB0') ~= nil, findings())

  go_to('exit')
  vim.cmd('normal! cestop')
  wait('no finding', function() return #findings() == 0 end, findings)

  go_to('refund_card')
  -- Not `vim.lsp.buf.hover`: to colour Markdown it needs a parser that Debian leaves out.
  local place = vim.lsp.util.make_position_params(0, 'utf-16')
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', place, 10000)
  check('hover', vim.inspect(answers):match('refund_card') ~= nil, answers)

  go_to('check amount', 2)
  vim.lsp.buf.definition()
  wait('definition', function() return vim.fn.line('.') == 8 end, function() return vim.fn.getpos('.') end)

  go_to('$amount', 2)
  vim.lsp.buf.rename('total')
  wait('rename', function() return not text():match('%$amount') end, text)
  check('what was renamed', select(2, text():gsub('%$total', '')) == 2, text())

  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 10000 })
  else
    vim.lsp.buf.formatting_sync(nil, 10000)
  end
  local styled = mistaken:gsub('exit', 'stop'):gsub('%$amount', '$total'):gsub('paid :', 'paid')
  check('formatting', text() == styled, text())

  wait('no finding at the end', function() return #findings() == 0 end, findings)
end

local well, reason = pcall(scenario)
io.stdout:write(well and 'well\n' or (tostring(reason) .. '\n'))
vim.cmd(well and 'qall!' or 'cquit!')
