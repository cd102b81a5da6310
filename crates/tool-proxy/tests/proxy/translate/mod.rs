//! Clients and servers of different revisions.

mod legacy;
mod modern;
mod questions;
mod same;
