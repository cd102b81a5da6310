//! The use of servers, honest and otherwise.

mod calls;
mod faults;
mod lists;
mod live;
mod modern;
mod process;
mod script;
