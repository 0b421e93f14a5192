//! `man [COMMAND]`: pages of the manual, from what `--help` says.

use std::fmt::Write;
use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::arguments::{Arguments, EXIT_CODES, ManArguments};
use crate::artifacts::{create_folder, replace_file, shown_path};
use crate::diagnostics::Diagnostic;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(arguments: &ManArguments, console: &mut Console) -> ExitStatus {
    let mut program = Arguments::command();
    program.build();
    match (&arguments.command, &arguments.out_dir) {
        (_, Some(folder)) => {
            if let Err(diagnostic) = write_all(&program, folder, console) {
                console.complain(&diagnostic);
                return ExitStatus::Usage;
            }
        }
        (Some(name), None) => {
            let command = program.find_subcommand(name);
            console.answer(&command.map_or_else(String::new, command_page));
        }
        (None, None) => console.answer(&program_page(&program)),
    }
    ExitStatus::Ok
}

fn write_all(program: &Command, folder: &Path, console: &mut Console) -> Result<(), Diagnostic> {
    create_folder(folder)?;
    let commands = commands(program).map(|command| (command, command_page(command)));
    for (command, page) in [(program, program_page(program))]
        .into_iter()
        .chain(commands)
    {
        let path = folder.join(format!("{}.1", page_name(command)));
        replace_file(&path, page.as_bytes())?;
        console.answer(&format!("wrote {}\n", shown_path(&path)));
    }
    Ok(())
}

/// The commands that have a page, in the order of `--help`.
fn commands(program: &Command) -> impl Iterator<Item = &Command> {
    program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
}

/// A command without the options that every command has: they are told once.
fn without_global_options(command: &Command) -> Command {
    command.clone().mut_args(|argument| {
        let is_global = argument.is_global_set() || argument.get_id() == "help";
        let is_hidden = argument.is_hide_set();
        argument.hide(is_global || is_hidden)
    })
}

fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// The page of one command.
fn command_page(command: &Command) -> String {
    let mut page = head(command);
    page.section("OPTIONS", command, Man::render_options_section);
    page.behind_the_help(command, Level::Section);
    let exit_codes = paragraphs(EXIT_CODES);
    page.paragraphs(exit_codes, Level::Section);
    page.heading(Level::Section, "SEE ALSO");
    page.text("RulebookTranslator(1)");
    page.into_text()
}

/// The page of the program, with all of its commands.
fn program_page(program: &Command) -> String {
    let mut page = head(program);
    page.section("OPTIONS", program, Man::render_options_section);
    page.heading(Level::Section, "COMMANDS");
    page.text("Every command takes the options above, too.");
    for command in commands(program) {
        let command = &without_global_options(command);
        page.heading(Level::Part, command.get_name());
        page.body(command, Man::render_synopsis_section);
        page.roff(|roff| {
            roff.control("PP", []);
        });
        page.body(command, Man::render_description_section);
        page.body(command, Man::render_options_section);
        page.behind_the_help(command, Level::Paragraph);
    }
    page.behind_the_help(program, Level::Section);
    page.heading(Level::Section, "SEE ALSO");
    let pages: Vec<String> = commands(program)
        .map(|command| format!("{}(1)", page_name(command)))
        .collect();
    page.text(&pages.join(", "));
    page.into_text()
}

/// What every page begins with.
fn head(command: &Command) -> Page {
    let mut title = Vec::new();
    let manual = Man::new(command.clone())
        .source(concat!("RulebookTranslator ", env!("CARGO_PKG_VERSION")))
        .manual("The rulebook compiler");
    // Writing to memory does not fail.
    let _ = manual.render_title(&mut title);
    let mut page = Page {
        text: String::from_utf8(title).unwrap_or_default(),
    };
    page.section("NAME", command, Man::render_name_section);
    page.section("SYNOPSIS", command, Man::render_synopsis_section);
    page.section("DESCRIPTION", command, Man::render_description_section);
    page
}

/// How much a heading weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Section,
    Part,
    Paragraph,
}

/// A section as the generator renders it.
type Render = fn(&Man, &mut dyn io::Write) -> io::Result<()>;

/// A page under way.
struct Page {
    text: String,
}

impl Page {
    fn roff(&mut self, write: impl FnOnce(&mut Roff)) {
        let mut roff = Roff::new();
        write(&mut roff);
        // The preamble stands once, before the title.
        self.text.push_str(&without_preamble(&roff.render()));
    }

    fn heading(&mut self, level: Level, text: &str) {
        self.roff(|roff| match level {
            Level::Section => {
                roff.control("SH", [text.to_uppercase().as_str()]);
            }
            Level::Part => {
                roff.control("SS", [text]);
            }
            Level::Paragraph => {
                roff.control("PP", []);
                roff.text([bold(text)]);
            }
        });
    }

    /// The page in ASCII, which every `man` reads.
    fn into_text(self) -> String {
        let mut out = String::with_capacity(self.text.len());
        for character in self.text.chars() {
            if character.is_ascii() {
                out.push(character);
            } else {
                let _ = write!(out, "\\[u{:04X}]", u32::from(character));
            }
        }
        out
    }

    fn text(&mut self, text: &str) {
        self.roff(|roff| {
            roff.text([roman(text)]);
        });
    }

    /// A section with its heading.
    fn section(&mut self, heading: &str, command: &Command, render: Render) {
        self.heading(Level::Section, heading);
        self.body(command, render);
    }

    /// A section of the generator without its heading.
    fn body(&mut self, command: &Command, render: Render) {
        let mut section = Vec::new();
        let _ = render(&Man::new(command.clone()), &mut section);
        let section = String::from_utf8(section).unwrap_or_default();
        for line in without_preamble(&section).lines() {
            if !line.starts_with(".SH ") {
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
    }

    /// What `--help` ends with: examples and whatever else has a heading there.
    fn behind_the_help(&mut self, command: &Command, level: Level) {
        let text = command.get_after_help().map(ToString::to_string);
        self.paragraphs(paragraphs(&text.unwrap_or_default()), level);
    }

    fn paragraphs(&mut self, paragraphs: Vec<Paragraph>, level: Level) {
        for paragraph in paragraphs {
            if let Some(heading) = &paragraph.heading {
                self.heading(level, heading);
            }
            self.roff(|roff| {
                if paragraph.heading.is_none() {
                    roff.control("PP", []);
                    roff.text([roman(paragraph.lines.join(" "))]);
                    return;
                }
                roff.control("RS", ["4"]);
                roff.control("nf", []);
                for line in &paragraph.lines {
                    roff.text([roman(line.as_str())]);
                }
                roff.control("fi", []);
                roff.control("RE", []);
            });
        }
    }
}

/// A part of the text behind a help: with a heading, its lines stand as they are.
struct Paragraph {
    heading: Option<String>,
    lines: Vec<String>,
}

fn paragraphs(text: &str) -> Vec<Paragraph> {
    text.split("\n\n")
        .filter(|paragraph| !paragraph.trim().is_empty())
        .map(|paragraph| {
            let first = paragraph.lines().next().unwrap_or_default();
            let heading = first.strip_suffix(':').map(str::to_owned);
            let lines = paragraph.lines().skip(usize::from(heading.is_some()));
            let lines = lines.map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned());
            Paragraph {
                lines: lines.collect(),
                heading,
            }
        })
        .collect()
}

fn without_preamble(roff: &str) -> String {
    roff.lines()
        .filter(|line| !line.starts_with(".ie ") && !line.starts_with(".el "))
        .flat_map(|line| [line, "\n"])
        .collect()
}
