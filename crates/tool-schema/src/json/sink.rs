//! Targets for text that is written in pieces: a `String`, or a target that keeps only a part.

/// A target for text that is written in pieces.
pub(super) trait Sink {
    fn push(&mut self, piece: &str);
}

impl Sink for String {
    fn push(&mut self, piece: &str) {
        self.push_str(piece);
    }
}
