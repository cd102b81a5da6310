//! The texts for the model in the other forms, and after repeated issues.

mod accepted_values;
mod budget;
mod corrected;
mod escalation;
mod guide;
mod properties;
mod samples;
mod scale;
mod unions;
mod unknown_values;
