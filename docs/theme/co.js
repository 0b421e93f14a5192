// Colours for rulebooks: highlight.js knows no Colang.
(() => {
  if (!window.hljs) return;
  hljs.registerLanguage('co', () => ({
    keywords: {
      $pattern: /[A-Za-z_]+/,
      literal: 'True False',
    },
    contains: [
      { className: 'comment', begin: /(^|\s)#/, end: /$/ },
      { className: 'string', begin: /"""/, end: /"""/ },
      { className: 'string', begin: /(^|[\s(=,[])"/, end: /"/, contains: [{ begin: /\\./ }] },
      { className: 'variable', begin: /\$[A-Za-z_][\w.]*/ },
      { className: 'keyword', begin: /^\s*(define\s+(context|user|bot|flow|subflow)|user|bot|else if|elif|if|else|execute|do|stop|abort|return|when|else when|while|event)\b/ },
      { className: 'keyword', begin: /= execute\b/ },
      { className: 'number', begin: /\b\d+(\.\d+)?\b/ },
    ],
  }));
  for (const block of document.querySelectorAll('code.language-co')) hljs.highlightBlock(block);
})();
