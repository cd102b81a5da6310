//! The proxy between a client and a server that follow the protocol or break it.

mod approvals;
mod calls;
mod containers;
mod faults;
mod kept;
mod lists;
mod rig;
mod rounds;
mod rules;
mod unchanged;
