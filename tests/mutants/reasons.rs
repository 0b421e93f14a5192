//! Why some mutants change no decision: where the fault is, and what else stands in its way.

use super::mutate::Mutant;

/// The reason, by the rule that was changed; none where there is none known.
pub fn reason(mutant: &Mutant, rego: &str) -> Option<&'static str> {
    let lines: Vec<&str> = rego.split('\n').collect();
    let mut at = mutant.line - 1;
    while at > 0 && !lines[at - 1].is_empty() {
        at -= 1;
    }
    let head = lines[at].strip_prefix("default ").unwrap_or(lines[at]);
    let end = head.find([' ', '('])?;
    let (name, rest) = head.split_at(end);
    let is_one_of = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    Some(if rest.starts_with('(') {
        "the helper is only asked where the part that changed tells nothing apart: an equality needs \
         the type by itself, or another lock stops what this one lets through"
    } else if name == "decision" {
        "no call tells the cases apart: their rules are never true together, the case is reached \
         by no call, or the one behind it says the same"
    } else if name == "governed" {
        "the last chain says nothing on a governed tool but the guards' refusal, which the tool's \
         own chain says first"
    } else if is_one_of(&["_enclosing", "_holds", "_first"]) || name.contains("_or") {
        "two locks keep the branches of a flow apart, their conditions and the earlier branches in \
         `first`: what one lets through the other stops, or the branch has no word of its own"
    } else if is_one_of(&["_any"]) {
        "the flow is never undecided where this could tell, or being undecided says what is said \
         there anyway"
    } else if name.starts_with("guards_")
        || name == "else"
        || is_one_of(&["_refuse", "_clarify", "_allow"])
    {
        "the word is looked at only where the words before it in the chain are not said, and there \
         it is the same; or it is never looked at"
    } else {
        return None;
    })
}
