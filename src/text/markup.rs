//! Text of a user in HTML and XML: nothing in it is markup.

use super::escape::escaped;

/// Text as the content of an element or the value of a quoted attribute, on one line.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in escaped(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_is_markup_and_nothing_is_hidden() {
        let safe = super::plain("</a x=\"y\">'&\u{202e}\u{0}\né");
        let expected = "&lt;/a x=&quot;y&quot;&gt;&#39;&amp;\\u202e\\u0000\\né";
        assert_eq!(safe, expected);
    }
}
