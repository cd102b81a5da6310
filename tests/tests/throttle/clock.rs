//! The simulated clock: the times and the order in which sleepers wake.

use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use tool_runtime::clock::{Clock, SimulatedClock, Sleep, SystemClock};

/// Records its name and the time when it is woken.
struct Sleeper(&'static str, SimulatedClock, Arc<Mutex<Vec<(&'static str, u64)>>>);

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.2.lock().expect("no waker panics").push((self.0, self.1.now().as_secs()));
    }
}

fn sleep(
    clock: &SimulatedClock,
    woken: &Arc<Mutex<Vec<(&'static str, u64)>>>,
    name: &'static str,
    seconds: u64,
) -> Sleep {
    let mut nap = clock.sleep(Duration::from_secs(seconds));
    let waker = Waker::from(Arc::new(Sleeper(name, clock.clone(), Arc::clone(woken))));
    assert!(nap.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    nap
}

#[test]
fn sleepers_wake_in_the_order_of_their_times_and_then_of_their_creation() {
    let (clock, woken) = (SimulatedClock::new(), Arc::default());
    let naps = [("late", 9), ("second", 2), ("first", 1), ("third", 2), ("far", 60)];
    let naps = naps.map(|(name, seconds)| sleep(&clock, &woken, name, seconds));
    clock.advance(Duration::from_secs(10));
    let expected = [("first", 1), ("second", 2), ("third", 2), ("late", 9)];
    assert_eq!(*woken.lock().expect("no waker panics"), expected);
    assert_eq!((clock.now().as_secs(), clock.sleepers()), (10, 1));
    assert_eq!(clock.advance_to_next(), Some(Duration::from_secs(50)));
    drop(naps);
    assert_eq!(clock.sleepers(), 0);
}

#[test]
fn a_dropped_sleeper_is_not_woken() {
    let (clock, woken) = (SimulatedClock::new(), Arc::default());
    drop(sleep(&clock, &woken, "gone", 1));
    clock.advance(Duration::from_secs(2));
    assert!(woken.lock().expect("no waker panics").is_empty() && clock.sleepers() == 0);
}

#[test]
fn the_maximum_time_does_not_overflow() {
    let clock = SimulatedClock::new();
    clock.advance(Duration::MAX);
    clock.advance(Duration::MAX);
    assert_eq!(clock.now(), Duration::MAX);
    pollster::block_on(clock.sleep(Duration::ZERO));
}

#[test]
fn the_system_clock_returns_the_time_and_has_no_timer() {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let before = clock.now();
    assert!(clock.now() >= before && !clock.has_timer());
    let mut nap = clock.sleep(Duration::ZERO);
    assert!(nap.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
}
