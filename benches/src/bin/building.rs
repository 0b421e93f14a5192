//! Measures what it takes to build a gate from the bytes of an IR: time, and the memory that it
//! keeps. Prints Markdown for `docs/benchmarks.md`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use stalwart::compiler::{Depth, compile};
use stalwart::gate::Gate;
use stalwart::ir;
use stalwart_benches::{large, largest};

/// Times are the least of so many builds.
const BUILDS: usize = 10;

/// The system's allocator, counting the bytes that are in use. The counts cost the same few
/// nanoseconds for each allocation, so that the times here are a little too high.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    println!(
        "| flows | source | IR | loading the IR | building the gate | both | \
         the IR keeps | the gate adds | bytes a flow |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut rulebooks: Vec<_> = [200, 650, 1300].map(|flows| (flows, large(flows))).into();
    rulebooks.push((1300, largest()));
    for (flows, text) in rulebooks {
        let bytes = bytes_of_ir(&text);
        let (mut loading, mut building, mut both) = (Duration::MAX, Duration::MAX, Duration::MAX);
        let (mut of_ir, mut of_gate) = (0, 0);
        for _ in 0..BUILDS {
            let empty = LIVE.load(Ordering::Relaxed);
            let start = Instant::now();
            let rulebook = ir::from_bytes(&bytes).expect("it was just written");
            let loaded = start.elapsed();
            of_ir = LIVE.load(Ordering::Relaxed) - empty;
            let gate = Gate::new(rulebook);
            let built = start.elapsed();
            of_gate = LIVE.load(Ordering::Relaxed) - empty - of_ir;
            black_box(&gate);
            loading = loading.min(loaded);
            building = building.min(built - loaded);
            both = both.min(built);
        }
        println!(
            "| {flows} | {} | {} | {} | {} | {} | {} | {} | {} |",
            megabytes(text.len()),
            megabytes(bytes.len()),
            milliseconds(loading),
            milliseconds(building),
            milliseconds(both),
            megabytes(of_ir),
            megabytes(of_gate),
            of_gate / flows
        );
    }
}

fn megabytes(bytes: usize) -> String {
    format!("{:.2} MB", bytes as f64 / 1e6)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn bytes_of_ir(text: &str) -> Vec<u8> {
    let compiled = compile("large.co", text.as_bytes(), "stalwart.large", Depth::Errors);
    ir::to_bytes(&compiled.rulebook.expect("the large rulebook has no errors"))
}
