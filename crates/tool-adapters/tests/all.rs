//! All integration tests of this package in one program, because each program is linked with every dependency.

#[cfg(feature = "genai-http")]
mod genai;
#[cfg(all(feature = "genai-http", feature = "rig"))]
mod libraries;
#[cfg(feature = "rig")]
mod rig;
