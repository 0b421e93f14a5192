//! How much room a text takes, without a font: generous widths that no usual one exceeds.

/// Widths of `' '` to `'~'` in thousandths of the size, in prose.
const PROSE: [usize; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556, 1015, 684, 686, 722, 770, 667,
    611, 778, 752, 295, 500, 667, 557, 863, 748, 787, 667, 787, 722, 667, 611, 732, 684, 989, 685,
    667, 611, 390, 337, 390, 838, 556, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Prose.
    Sans,
    /// Prose, bold.
    Bold,
    /// As a rulebook writes it.
    Mono,
}

/// The width of a text of one line at a size, in the units of the size.
pub fn width(text: &str, face: Face, size: usize) -> usize {
    let thousandths: usize = text.chars().map(|it| character_width(it, face)).sum();
    (thousandths * size).div_ceil(1_000)
}

fn character_width(character: char, face: Face) -> usize {
    let code = usize::try_from(u32::from(character)).unwrap_or(usize::MAX);
    if is_mark(character) {
        return 0;
    }
    let ascii = code.checked_sub(32).and_then(|at| PROSE.get(at));
    match (face, ascii) {
        (Face::Mono, Some(_)) => 605,
        (Face::Sans, Some(width)) => *width,
        // The bold of a font is up to an eighth wider.
        (Face::Bold, Some(width)) => width * 9 / 8,
        (_, None) => beyond_ascii(code, face),
    }
}

/// Marks that stand on the character before, and what has no width at all.
fn is_mark(character: char) -> bool {
    matches!(
        u32::from(character),
        0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x200B..=0x200D | 0x20D0..=0x20F0
            | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0xE0000..=0xE01EF
    )
}

fn beyond_ascii(code: usize, face: Face) -> usize {
    let (mono, prose) = match code {
        // Letters of Latin, Greek and Cyrillic.
        0xC6 | 0xE6 | 0x152 | 0x153 => (605, 1_100),
        0x80..=0x24F => (605, 790),
        0x250..=0x52F => (640, 960),
        // Quotation marks, dashes and dots of prose.
        0x2010..=0x2013 | 0x2018..=0x201F => (605, 520),
        0x2014 | 0x2015 | 0x2026 => (605, 1_010),
        // Scripts, pictures and signs that no narrow font has.
        0x1100..=0x11FF | 0x2E80..=0xD7FF | 0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFFEF => {
            (1_050, 1_050)
        }
        0x1_F000..=0x1_FAFF | 0x2600..=0x27BF => (1_360, 1_360),
        // A few characters are whole phrases.
        0xFDF0..=0xFDFF | 0x1_2000..=0x1_254F => (6_000, 6_000),
        _ => (1_100, 1_100),
    };
    match face {
        Face::Mono => mono,
        Face::Sans => prose,
        Face::Bold => prose * 9 / 8,
    }
}

/// A text of one line, cut with an ellipsis where it is wider than this.
pub fn cut(text: &str, face: Face, size: usize, most: usize) -> String {
    if width(text, face, size) <= most {
        return text.to_owned();
    }
    let room = (most * 1_000 / size.max(1)).saturating_sub(character_width('…', face));
    let mut kept = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += character_width(character, face);
        if used > room {
            break;
        }
        kept.push(character);
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// Lines of at most this width, broken at blanks, and inside of a word that is wider than a line;
/// the last of `lines` is cut. Lines behind the first begin with `indent` blanks.
pub fn wrap(
    text: &str,
    face: Face,
    size: usize,
    most: usize,
    lines: usize,
    indent: usize,
) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let blanks = if done.is_empty() { 0 } else { indent };
        let mut line = " ".repeat(blanks);
        if done.len() + 1 >= lines.max(1) {
            line.push_str(rest);
            done.push(cut(&line, face, size, most));
            break;
        }
        let room = most.saturating_sub(width(&line, face, size));
        let (head, tail) = rest
            .split_at_checked(fitting(rest, face, size, room))
            .unwrap_or((rest, ""));
        line.push_str(head.trim_end_matches(' '));
        done.push(line);
        rest = tail.trim_start_matches(' ');
    }
    done
}

/// The number of bytes that a line takes of a text; at least one character's.
fn fitting(text: &str, face: Face, size: usize, room: usize) -> usize {
    let room = room * 1_000 / size.max(1);
    let mut used = 0;
    let mut at_blank = 0;
    for (at, character) in text.char_indices() {
        if character == ' ' {
            at_blank = at;
        }
        used += character_width(character, face);
        if used > room && character != ' ' {
            return match (at_blank, at) {
                (0, 0) => character.len_utf8(),
                (0, at) => at,
                (at_blank, _) => at_blank,
            };
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_more_room() {
        let wide = |text| width(text, Face::Sans, 14);
        assert!(wide("iii") < wide("mmm"));
        assert!(wide("abc") < wide("漢字仮"));
        assert!(wide("漢") < wide("🦀"));
        assert_eq!(wide("e"), wide("e\u{301}\u{200d}"));
        assert!(width("abc", Face::Bold, 14) > wide("abc"));
        assert_eq!(width("", Face::Mono, 14), 0);
        assert_eq!(width(&"i".repeat(100), Face::Mono, 10), 605);
    }

    #[test]
    fn lines_fit_and_nothing_is_lost() {
        let text =
            "may a person from abroad withdraw 漢字 🦀🦀 averyverylongwordthatfitsnoline at all";
        for most in [30, 60, 100, 400, 4_000] {
            let lines = wrap(text, Face::Sans, 14, most, usize::MAX, 0);
            for line in &lines {
                assert!(width(line, Face::Sans, 14) <= most, "{line:?} in {most}");
            }
            let joined: String = lines.concat().replace(' ', "");
            assert_eq!(joined, text.replace(' ', ""));
        }
        assert_eq!(wrap("", Face::Sans, 14, 100, 3, 0), [""; 0]);
        assert_eq!(wrap("abc", Face::Mono, 10, 0, 9, 0), ["a", "b", "c"]);
    }

    #[test]
    fn what_does_not_fit_is_cut_visibly() {
        assert_eq!(cut("abcdefgh", Face::Mono, 10, 1_000), "abcdefgh");
        assert_eq!(cut("abcdefgh", Face::Mono, 10, 31), "abcd…");
        assert_eq!(cut("abc efgh", Face::Mono, 10, 31), "abc…");
        let lines = wrap("one two three four", Face::Mono, 10, 31, 2, 2);
        assert_eq!(lines, ["one", "  tw…"]);
    }
}
