//! Codes of reports, and of the files that a rulebook is begun with.

super::codes! {
    REPORT_OVER_SOURCE = "RB0660", Error, "report would replace a rulebook",
    "`check --output PATH` writes the report to a file, and replaces what is there. The path that was given is the file that is checked, or its name ends in `.co`, as those of rulebooks do. Nothing was checked, and nothing was written.

Give the report a name of its own; without `--output` it goes to standard output:

```text
RulebookTranslator check policy.co --format sarif --output report.sarif
RulebookTranslator check policy.co --format sarif > report.sarif
```";

    FILE_EXISTS = "RB0661", Error, "file is there already",
    "`init` begins a rulebook with files of its own, and one of them would stand where there is a file already. Nothing was written: what somebody wrote is never replaced. A `.gitattributes` that is there is left as it is, and the lines that it should have are printed.

Begin in another folder, give the rulebook another name, or move the file away first:

```text
RulebookTranslator init refunds
RulebookTranslator init --name refunds
```";
}
