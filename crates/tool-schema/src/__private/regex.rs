//! `Regex`: the compiled form of a `pattern`, in a `static` that compiles it on first use.
//!
//! Generated code writes `|text| { static REGEX: Regex = Regex::new("…"); REGEX.is_match(text) }` with a pattern that the macro has
//! translated and parsed. Without the feature `pattern`, the constructor is a compile error that names the feature.

#[cfg(feature = "pattern")]
mod enabled {
    use std::sync::OnceLock;

    pub struct Regex {
        source: &'static str,
        compiled: OnceLock<Option<regex::Regex>>,
    }

    impl Regex {
        pub const fn new(source: &'static str) -> Self {
            Self { source, compiled: OnceLock::new() }
        }

        /// Returns `true` if the pattern occurs anywhere in the text.
        ///
        /// The pattern compiles, because the macro has parsed it and there is no size limit here. If it did not compile, it would match
        /// nothing, so that a rule that cannot be checked accepts no value.
        pub fn is_match(&self, text: &str) -> bool {
            let compile = || regex::RegexBuilder::new(self.source).size_limit(usize::MAX).build().ok();
            self.compiled.get_or_init(compile).as_ref().is_some_and(|regex| regex.is_match(text))
        }
    }
}

#[cfg(not(feature = "pattern"))]
mod disabled {
    use std::convert::Infallible;

    pub struct Regex(Infallible);

    impl Regex {
        /// Causes a compile error that asks for the feature `pattern`.
        ///
        /// # Panics
        ///
        /// Always panics. Generated code calls this in a `static`, so the panic is a compile error.
        pub const fn new(_source: &'static str) -> Self {
            panic!("`pattern` needs the feature `pattern`: add it to `features` in Cargo.toml")
        }

        pub const fn is_match(&self, _text: &str) -> bool {
            match self.0 {}
        }
    }
}

#[cfg(not(feature = "pattern"))]
pub use disabled::Regex;
#[cfg(feature = "pattern")]
pub use enabled::Regex;
