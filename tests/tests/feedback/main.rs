//! What a model reads in the other two forms, and when it fails at the same place again.

mod budget;
mod corrected;
mod escalation;
mod guide;
mod properties;
mod samples;
mod scale;
mod unions;
