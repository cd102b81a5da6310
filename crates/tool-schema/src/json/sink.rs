//! What a text is written to, piece by piece: a `String`, or something that keeps less of it.

/// What takes the text piece by piece.
pub(super) trait Sink {
    fn push(&mut self, piece: &str);
}

impl Sink for String {
    fn push(&mut self, piece: &str) {
        self.push_str(piece);
    }
}
