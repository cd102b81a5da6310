//! The common part of both programs: a tokio runtime, errors on one line, and an exit code.

use std::error::Error;
use std::io;
use std::process::ExitCode;

/// Runs a program. The exit code is 0 if there was an answer, 1 if there was none, and 2 if the program could not start.
///
/// The runtime is only needed for servers, not for scripts.
pub fn run(name: &str, program: impl Future<Output = Result<bool, Box<dyn Error>>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(program));
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The program that reads the output has closed it, which is not an error.
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
