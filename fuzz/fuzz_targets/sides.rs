//! The steps of a case, for the targets that send lines through the layers of a proxy.

/// A step of a case: the kind of a line, its id and its content, or the bytes of a line.
pub enum Step {
    Message([u8; 3]),
    Bytes(Vec<u8>),
}

/// Parses the settings of a case and its steps, each with the side that sends the line: `true` for the client. An empty input has none.
pub fn case(input: &[u8]) -> Option<(u8, Vec<(bool, Step)>)> {
    let (&settings, mut data) = input.split_first()?;
    let mut steps = Vec::new();
    while let Some((&[kind, id, content], rest)) = data.split_first_chunk::<3>() {
        data = rest;
        let step = if kind & 0x70 == 0x70 {
            let (line, rest) = data.split_at(data.len().min(usize::from(content)));
            data = rest;
            Step::Bytes(line.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect())
        } else {
            Step::Message([kind, id, content])
        };
        steps.push((kind & 0x80 == 0, step));
    }
    Some((settings, steps))
}
