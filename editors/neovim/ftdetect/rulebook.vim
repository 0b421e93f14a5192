autocmd BufRead,BufNewFile *.co setfiletype rulebook
