//! Codes of reports, and of the files that a rulebook is begun with.

super::codes! {
    REPORT_OVER_SOURCE = "RB0660", Error, "report would replace a source",
    "`--output PATH` of `check`, `test` and `graph`, and `--coverage-html` and `--coverage-lcov` of `test`, write to a file and replace what is there. The path that was given is a file that the command reads (a rulebook, its tests, the project's file), by this name or another, or its name is one that such files have: it ends in `.co` or `.test.yaml`, or is `rulebook.toml`, `rulebook.ir.json` or `Rulebook.rego`. Nothing was run, and nothing was written. (`test --suggest --output` may begin a tests file that is not there yet.)

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

    ONE_RULEBOOK = "RB0662", Error, "option for one rulebook",
    "`--tests`, `--coverage-html`, `--coverage-lcov` and `--suggest` of `test` are about one rulebook: its tests, its lines, its missing cases. No file was named, and the project lists several rulebooks. Nothing was run, and nothing was written.

Name the one that is meant; the tests of each can be written in `rulebook.toml`:

```text
RulebookTranslator test policies/refunds.co --suggest
RulebookTranslator test policies/refunds.co --coverage-html coverage.html
```";
}
