//! Codes of layout and syntax (contract sections 1 to 3).

super::codes! {
    NO_RULEBOOK = "RB0101", Error, "no_rulebook", "todo";
    COLANG_2 = "RB0102", Error, "colang_2", "todo";
    MIXED_VERSIONS = "RB0103", Error, "mixed_versions", "todo";
    MORE_ERRORS = "RB0104", Error, "more_errors", "todo";
    FOREIGN_BLANK = "RB0105", Error, "foreign_blank", "todo";
    UNCLOSED_STRING = "RB0106", Error, "unclosed_string", "todo";
    UNCLOSED_DOCUMENTATION = "RB0107", Error, "unclosed_documentation", "todo";
    NOTHING_CONTINUES = "RB0108", Error, "nothing_continues", "todo";
    INDENTATION = "RB0109", Error, "indentation", "todo";
    UNEXPECTED_INDENTATION = "RB0110", Error, "unexpected_indentation", "todo";
    EMPTY_BLOCK = "RB0111", Error, "empty_block", "todo";
    BLOCKS_TOO_DEEP = "RB0112", Error, "blocks_too_deep", "todo";
    OUTSIDE_DEFINITION = "RB0113", Error, "outside_definition", "todo";
    DEFINITION_COLUMN = "RB0114", Error, "definition_column", "todo";
    DEFINITION_HEAD = "RB0115", Error, "definition_head", "todo";
    RESERVED_NAME = "RB0116", Error, "reserved_name", "todo";
    DECLARATION = "RB0117", Error, "declaration", "todo";
    TEXT_EXPECTED = "RB0118", Error, "text_expected", "todo";
    UNKNOWN_STATEMENT = "RB0119", Error, "unknown_statement", "todo";
    OTHER_WORD = "RB0120", Error, "other_word", "todo";
    INCLUSION = "RB0121", Error, "inclusion", "todo";
    FOREIGN_STATEMENT = "RB0122", Error, "foreign_statement", "todo";
    VERDICT = "RB0123", Error, "verdict", "todo";
    INCOMPLETE = "RB0124", Error, "incomplete", "todo";
    TRAILING_TEXT = "RB0125", Error, "trailing_text", "todo";
    STATEMENT_ON_HEAD = "RB0126", Error, "statement_on_head", "todo";
    ELSE_WITHOUT_IF = "RB0127", Error, "else_without_if", "todo";
    ARM_AFTER_ELSE = "RB0128", Error, "arm_after_else", "todo";
    WHEN_WITHOUT_TRIGGER = "RB0129", Error, "when_without_trigger", "todo";
    OUTSIDE_LOOP = "RB0130", Error, "outside_loop", "todo";
    ANY_MEMBER = "RB0131", Error, "any_member", "todo";
    SUBFLOW_CALL = "RB0132", Error, "subflow_call", "todo";
    TOOL_NAME = "RB0133", Error, "tool_name", "todo";
    ARGUMENTS = "RB0134", Error, "arguments", "todo";
    ASSIGNMENT = "RB0135", Error, "assignment", "todo";
    CONTEXT_NAME = "RB0136", Error, "context_name", "todo";
    EXPRESSION = "RB0137", Error, "expression", "todo";
    EXPRESSION_TOO_DEEP = "RB0138", Error, "expression_too_deep", "todo";
    EQUALS_IN_CONDITION = "RB0139", Error, "equals_in_condition", "todo";
    FOREIGN_OPERATOR = "RB0140", Error, "foreign_operator", "todo";
    FOREIGN_CONSTANT = "RB0141", Error, "foreign_constant", "todo";
    TYPOGRAPHIC_QUOTE = "RB0142", Error, "typographic_quote", "todo";
    NUMBER_LITERAL = "RB0143", Error, "number_literal", "todo";
    STRING_ESCAPE = "RB0144", Error, "string_escape", "todo";
}
