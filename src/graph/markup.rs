//! Text of a user inside of XML and HTML.

use std::fmt::Write;

use crate::text::escaped;
use crate::text::markup::plain;

/// A text as pictures show it: on one line, and what cannot be seen is made visible.
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in escaped(text).chars() {
        match character {
            // XML cannot hold these two at all.
            '\u{FFFE}' | '\u{FFFF}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out
}

/// A shown text as the content of an element or the value of a quoted attribute: nothing in it is
/// markup.
pub fn text(text: &str) -> String {
    plain(&shown(text))
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_is_markup_and_nothing_is_hidden() {
        let safe = super::text("</a x=\"y\">'&\u{202e}\u{0}\n\u{ffff}é");
        let expected = "&lt;/a x=&quot;y&quot;&gt;&#39;&amp;\\u202e\\u0000\\n\\uffffé";
        assert_eq!(safe, expected);
    }
}
