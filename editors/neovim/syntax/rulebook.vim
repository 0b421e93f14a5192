" Colours without a server; simpler than the grammar that other editors use.
if exists('b:current_syntax')
  finish
endif

syntax match rulebookName /\$[A-Za-z_][A-Za-z0-9_]*\%(\.[A-Za-z_][A-Za-z0-9_]*\)*/
syntax match rulebookNumber /\%([A-Za-z0-9_.]\)\@<!-\=\d\+\%(\.\d\+\)\=\%([A-Za-z0-9_.]\)\@!/
syntax keyword rulebookConstant True False None
syntax match rulebookOperator /\%(^\s*\%(if\|elif\|while\|else if\)\s.*\)\@<=\<\%(and\|or\|not\|in\|is\)\>/
syntax match rulebookType /\%(^\s*\$\S*\s*:\s*\)\@<=\%(bool\|number\|string\)\>/

syntax match rulebookDefine /^define\s\+\%(\%(parallel\|extension\|recursive\|interruption\|repair\|test\|sample\|response\|continuous\|non-interruptable\|noninterruptable\)\s\+\)*\%(flow\|subflow\|user\|bot\|context\|action\|snippet\)\>/ nextgroup=rulebookDefined
syntax match rulebookDefined /[^#:]\+/ contained
syntax match rulebookExecute /\%(^\s*\%(\$\S\+\s\+=\s\+\)\=\)\@<=execute\>/ nextgroup=rulebookTool skipwhite
syntax match rulebookTool /[A-Za-z_][A-Za-z0-9_.\/-]*/ contained
syntax match rulebookSay /^\s*\%(bot\|user\|event\|create event\|do\|label\|goto\)\>/
syntax match rulebookBranch /^\s*\%(if\|elif\|else if\|else when\|else\|when\|while\)\>/ nextgroup=rulebookTurn skipwhite
syntax match rulebookTurn /\%(user\|bot\|event\)\>/ contained
syntax match rulebookEnd /^\s*\%(stop\|abort\|return\|break\|continue\|any\)\ze\s*:\=\s*\%(#.*\)\=$/
syntax match rulebookRemark /^\s*\%(meta\|priority\)\>/

syntax match rulebookEscape /\\\%([\\"'nt]\|u\x\{4}\)/ contained
syntax region rulebookString start=/\%([^ (\[{,=:]\)\@1<!"/ skip=/\\./ end=/"/ oneline contains=rulebookEscape,rulebookName
syntax region rulebookString start=/\%([^ (\[{,=:]\)\@1<!'/ skip=/\\./ end=/'/ oneline contains=rulebookEscape,rulebookName
syntax region rulebookDocumentation start=/^\s*"""/ end=/"""/
syntax match rulebookComment /#.*$/

highlight default link rulebookName Identifier
highlight default link rulebookNumber Number
highlight default link rulebookConstant Constant
highlight default link rulebookOperator Operator
highlight default link rulebookType Type
highlight default link rulebookDefine Keyword
highlight default link rulebookDefined Function
highlight default link rulebookExecute Statement
highlight default link rulebookTool Special
highlight default link rulebookSay Statement
highlight default link rulebookBranch Conditional
highlight default link rulebookTurn Statement
highlight default link rulebookEnd Statement
highlight default link rulebookRemark PreProc
highlight default link rulebookEscape SpecialChar
highlight default link rulebookString String
highlight default link rulebookDocumentation Comment
highlight default link rulebookComment Comment

let b:current_syntax = 'rulebook'
