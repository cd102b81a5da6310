//! All integration tests of this package in one program, because each program is linked with every dependency.

#[cfg(feature = "genai")]
mod genai;
#[cfg(all(feature = "genai", feature = "rig"))]
mod libraries;
#[cfg(feature = "rig")]
mod rig;
