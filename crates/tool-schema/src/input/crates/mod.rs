//! `ToolInput` for types of other crates, each behind a feature named by crate and major version.
//!
//! A shape says the standard form. Where the crate's own `Deserialize` takes more spellings than that, the typed path takes them too, and
//! the schema does not mention them; where it takes less, a call is refused with a `custom` issue. Each file says which.

#[cfg(feature = "jiff02")]
mod jiff02;
#[cfg(feature = "url2")]
mod url2;
#[cfg(feature = "uuid1")]
mod uuid1;
