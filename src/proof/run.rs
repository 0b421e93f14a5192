//! Evaluates a plan, on as many threads as the machine has; without threads, on the caller's.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle, available_parallelism, scope};

use super::axes::{Point, advance, input_at, is_told};
use super::difference::{Difference, expected};
use super::evaluation::Evaluation;
use super::input::Input;
use super::interpreter::{Interpreter, STACK, decision, document};
use super::package::{DECISION, Package};
use super::plan::{Part, Plan, Points, whole_numbers};
use super::{Failure, Meter};
use crate::text::reason;

/// Points that a thread evaluates at a time.
const CHUNK: u64 = 4_096;

/// Most threads.
const MAX_THREADS: usize = 8;

/// Name of the interpreter in messages.
pub(super) const ENGINE: &str = "regorus";

/// Whether threads can be started. In WebAssembly there is one, whose stack is its host's.
const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// Starts a thread that the interpreter fits on.
pub(super) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, Failure> {
    Builder::new()
        .stack_size(STACK)
        .spawn_scoped(scope, work)
        .map_err(|error| {
            Failure::NotEvaluated(format!("no thread can be started: {}", reason(&error)))
        })
}

/// Runs work on a thread that the interpreter fits on.
pub(super) fn on_large_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    if !HAS_THREADS {
        return work();
    }
    scope(|scope| {
        let worker = spawn(scope, work)?;
        worker.join().unwrap_or_else(|_| Err(interpreter_failed()))
    })
}

fn interpreter_failed() -> Failure {
    Failure::NotEvaluated("the interpreter failed".to_owned())
}

/// A piece of work.
enum Task {
    /// The points that run on the whole package, and the inputs without a tool.
    Whole,
    /// Inputs of a part from one number up to another.
    Part(usize, u64, u64),
}

/// What a thread tells: how many inputs it evaluated, and the smallest difference.
type Report = Result<(u64, Option<Difference>), Failure>;

/// A plan and the text it is for.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) package: &'a Package,
    pub(super) rego: &'a str,
}

impl Run<'_> {
    /// Number of inputs that the interpreter is asked for.
    pub(super) fn told_inputs(&self) -> u64 {
        let parts: u64 = self.plan.parts.iter().map(Part::told).sum();
        parts + u64::try_from(self.plan.odd.len()).unwrap_or(0)
    }

    /// The inputs with numbers that the interpreter takes for others.
    pub(super) fn inputs_not_told(&self) -> impl Iterator<Item = Input> {
        let parts = self.plan.parts.iter();
        parts.flat_map(|part| {
            let numbers = (0..part.len()).filter(|number| !part.is_told(*number));
            numbers.filter_map(|number| part.input(number))
        })
    }

    /// Number of inputs.
    pub(super) fn inputs(&self) -> u64 {
        let parts: u64 = self.plan.parts.iter().map(Part::len).sum();
        parts + u64::try_from(self.plan.odd.len()).unwrap_or(0)
    }

    /// All of them, in order.
    pub(super) fn all_inputs(&self) -> impl Iterator<Item = Input> {
        let parts = self.plan.parts.iter();
        let inputs = parts.flat_map(|part| (0..part.len()).filter_map(|number| part.input(number)));
        inputs.chain(self.plan.odd.iter().cloned())
    }

    /// Evaluates all of it: the smallest difference.
    ///
    /// # Errors
    /// A package that the interpreter cannot read.
    pub(super) fn evaluate(&self, progress: &mut Meter<'_>) -> Result<Option<Difference>, Failure> {
        let mut tasks = vec![Task::Whole];
        for (place, part) in self.plan.parts.iter().enumerate() {
            let mut begin = 0;
            while begin < part.len() {
                let end = part.len().min(begin + CHUNK);
                tasks.push(Task::Part(place, begin, end));
                begin = end;
            }
        }
        let threads = available_parallelism().map_or(1, usize::from);
        let threads = if HAS_THREADS {
            threads.min(MAX_THREADS).min(tasks.len())
        } else {
            0
        };
        let next = AtomicUsize::new(0);
        let (sender, receiver) = channel::<Report>();
        let mut least = None;
        let mut failure = None;
        scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..threads {
                let (sender, tasks, next) = (sender.clone(), &tasks, &next);
                workers.push(spawn(scope, move || self.work(tasks, next, &sender))?);
            }
            if !HAS_THREADS {
                self.work(&tasks, &next, &sender);
            }
            drop(sender);
            for report in receiver {
                match report {
                    Ok((more, found)) => {
                        progress.add(more);
                        least = Difference::least(least.take(), found);
                    }
                    Err(error) => failure = Some(error),
                }
            }
            for worker in workers {
                if worker.join().is_err() {
                    failure = Some(interpreter_failed());
                }
            }
            Ok(())
        })?;
        match failure {
            Some(failure) => Err(failure),
            None => Ok(least),
        }
    }

    fn work(&self, tasks: &[Task], next: &AtomicUsize, sender: &Sender<Report>) {
        let mut loaded: Option<(usize, Evaluation<'_>)> = None;
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = match task {
                Task::Whole => self.whole(),
                Task::Part(place, begin, end) => self.part(&mut loaded, *place, *begin, *end),
            };
            let is_over = report.is_err();
            if sender.send(report).is_err() || is_over {
                return;
            }
        }
    }

    /// The smallest input found from a difference on, on the whole package where it differs there.
    ///
    /// # Errors
    /// A package that the interpreter cannot read.
    pub(super) fn shrink(&self, difference: Difference) -> Result<Difference, Failure> {
        on_large_stack(|| {
            let mut interpreter = load(self.rego.to_owned())?;
            let path = format!("data.{}.{DECISION}", self.package.name);
            Ok(difference.shrink(self.plan, &mut interpreter, &path))
        })
    }

    /// The text of a part's slice.
    pub(super) fn text(&self, part: &Part<'_>) -> String {
        if part.slice.is_whole {
            self.rego.to_owned()
        } else {
            part.slice.text(self.package, self.rego)
        }
    }

    fn whole(&self) -> Report {
        let mut interpreter = load(self.rego.to_owned())?;
        let path = format!("data.{}.{DECISION}", self.package.name);
        let mut least = None;
        let mut compare = |input: &Input| {
            let json = input.document();
            interpreter.set_input(document(json.as_ref()));
            let rego = decision(&interpreter.value(&path));
            let rulebook = expected(self.plan.rulebook, json.as_ref());
            let found = Difference::on(input, &rulebook, &rego, ENGINE);
            least = Difference::least(least.take(), found);
        };
        for (place, number) in whole_numbers(self.plan) {
            let part = self.plan.parts.get(place);
            let part = part.filter(|part| part.is_told(number));
            if let Some(input) = part.and_then(|part| part.input(number)) {
                compare(&input);
            }
        }
        self.plan.odd.iter().for_each(compare);
        let done = u64::try_from(self.plan.odd.len()).unwrap_or(0);
        Ok((done, least))
    }

    fn part<'s>(
        &'s self,
        loaded: &mut Option<(usize, Evaluation<'s>)>,
        place: usize,
        begin: u64,
        end: u64,
    ) -> Report {
        let Some(part) = self.plan.parts.get(place) else {
            return Ok((0, None));
        };
        let evaluation = match loaded {
            Some((of, evaluation)) if *of == place => evaluation,
            _ => {
                let interpreter = load(self.text(part))?;
                let evaluation = Evaluation::new(
                    interpreter,
                    self.package,
                    &part.slice,
                    &self.plan.reads,
                    &part.target.called,
                    &part.axes,
                );
                &mut loaded.insert((place, evaluation)).1
            }
        };
        let called = &part.target.called;
        let mut least = None;
        let points = part.points.len();
        let mut point: Option<Point> = None;
        for number in begin..end.min(points) {
            let at = match (&part.points, point.take()) {
                (Points::Product(_), Some(mut at)) => {
                    advance(&part.axes, &mut at);
                    Some(at)
                }
                _ => part.points.get(&part.axes, number),
            };
            let Some(at) = at else { break };
            if !is_told(&part.axes, &at) {
                point = Some(at);
                continue;
            }
            let input = input_at(called, &part.axes, &at);
            let rulebook = expected(self.plan.rulebook, input.document().as_ref());
            let rego = evaluation.decide(&at);
            if rego.as_ref() != Ok(&rulebook) {
                let found = Difference::on(&input, &rulebook, rego, ENGINE);
                least = Difference::least(least.take(), found);
            }
            point = Some(at);
        }
        if evaluation.is_refuted() && least.is_none() {
            return Err(Failure::NotEvaluated(
                "a rule reads more of its input than was found in it".to_owned(),
            ));
        }
        for number in begin.max(points)..end {
            let Some(input) = part.input(number) else {
                break;
            };
            let json = input.document();
            let rulebook = expected(self.plan.rulebook, json.as_ref());
            let rego = decision(&evaluation.answer(document(json.as_ref())));
            let found = Difference::on(&input, &rulebook, &rego, ENGINE);
            least = Difference::least(least.take(), found);
        }
        Ok((end - begin, least))
    }
}

/// Loads a text.
pub(super) fn load(rego: String) -> Result<Interpreter, Failure> {
    Interpreter::load(rego).map_err(Failure::NotEvaluated)
}
