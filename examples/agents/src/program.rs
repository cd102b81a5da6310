//! What both programs do around their conversation: a runtime, errors in one line, an exit code.

use std::error::Error;
use std::io;
use std::process::ExitCode;

/// Runs a program to its end: 0 where it came to an answer, 1 where it did not, 2 where it could not begin.
///
/// A server is asked through a client that needs tokio; a script needs nothing, and takes no harm from it.
pub fn run(name: &str, program: impl Future<Output = Result<bool, Box<dyn Error>>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(program));
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads the output has seen enough.
        Err(error)
            if error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            anstream::eprintln!("{name}: {error}");
            ExitCode::from(2)
        }
    }
}
