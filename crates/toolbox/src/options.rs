//! The command line, for tools in a file and for tools of a program.
//!
//! There are two versions of the command, which differ only in the source of the tools and in the subcommand `call`.

#[cfg(feature = "proxy")]
use std::ffi::OsString;
#[cfg(feature = "proxy")]
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};

use tool_formats::{CallFormat, UnknownCallFormat};
use tool_runtime::{Dialect, RepairPolicy};

/// Checks tool definitions and the calls that models make of them.
#[derive(Debug, Parser)]
#[command(name = "toolbox", version, arg_required_else_help = true)]
pub(super) struct FileCommand {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    #[command(flatten)]
    Files(FileVerb),
    /// Guards an MCP server: repairs the calls of a model, or answers them with hints, before they reach the server.
    #[cfg(feature = "proxy")]
    Proxy(ProxyOptions),
    /// Adds a guarded MCP server to the configuration of a host, such as Claude Desktop.
    #[cfg(feature = "proxy")]
    Install(super::install::InstallOptions),
    /// Removes a server that `install` has added.
    #[cfg(feature = "proxy")]
    Uninstall(super::install::UninstallOptions),
    /// Obtains a token for a remote MCP server with OAuth: prints the page that allows the access.
    #[cfg(feature = "remote")]
    Login(super::oauth::LoginOptions),
    /// Deletes the token for a remote MCP server.
    #[cfg(feature = "remote")]
    Logout(super::oauth::LogoutOptions),
    /// Prints the tools of an MCP server, as a file for `--tools`.
    #[cfg(feature = "proxy")]
    Tools(ServerOptions),
    /// Lists tools of MCP servers that have changed since they were remembered, and approves them.
    #[cfg(feature = "proxy")]
    Pins(PinsOptions),
}

#[derive(Debug, Subcommand)]
pub(super) enum FileVerb {
    /// Checks recorded calls: whether each would run, after which repairs, and the answer to the model if not.
    Check {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: CheckOptions,
    },
    /// Parses JSON as models write it, and lists what was changed.
    Parse(ParseOptions),
    /// Counts the calls of a recording: those that ran at once, were repaired or rejected, and were corrected by the model. Compares two recordings.
    Report(ReportOptions),
    /// Prints the definitions of the tools in a provider's dialect.
    Schema {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: SchemaOptions,
    },
    /// Finds problems of the definitions themselves: names, descriptions, rules that can never hold, limits of providers.
    Lint {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: LintOptions,
    },
    /// Shows one call in full: each repair, each issue, and every form of the answer to the model.
    Explain {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: ExplainOptions,
    },
}

/// Checks calls of this program's tools.
#[derive(Debug, Parser)]
#[command(arg_required_else_help = true)]
pub(super) struct TypedCommand {
    #[command(subcommand)]
    pub(super) verb: TypedVerb,
}

#[derive(Debug, Subcommand)]
pub(super) enum TypedVerb {
    /// Calls a tool and prints what the model would read.
    Call(CallOptions),
    /// Checks recorded calls: whether each would run, after which repairs, and the answer to the model if not.
    Check(CheckOptions),
    /// Parses JSON as models write it, and lists what was changed.
    Parse(ParseOptions),
    /// Prints the definitions of the tools in a provider's dialect.
    Schema(SchemaOptions),
    /// Finds problems of the definitions themselves: names, descriptions, rules that can never hold, limits of providers.
    Lint(LintOptions),
    /// Shows one call in full: each repair, each issue, and every form of the answer to the model.
    Explain(ExplainOptions),
}

#[derive(Debug, Args)]
pub(super) struct ToolsFile {
    /// Definitions: a JSON array, JSON Lines, or a list `{"tools": [...]}` as in MCP; `-` reads standard input.
    ///
    /// Each definition is `{name, description, parameters}` (or `input_schema`, `inputSchema`), or `{type, function}` as for `OpenAI`. A
    /// `ref` distinguishes tools with the same name.
    #[arg(long = "tools", value_name = "FILE")]
    pub(super) tools: String,
    /// The treatment of keys that a schema does not list.
    #[arg(long, value_enum, default_value_t = Unknown::Reject)]
    pub(super) unknown: Unknown,
    /// Checks `format` too. JSON Schema leaves this to the validator, and many schemas state formats that their servers do not require.
    #[arg(long)]
    pub(super) formats: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckOptions {
    /// Calls as JSON Lines, `{id?, tool | name, tool_ref?, arguments | raw}`; `-` reads standard input.
    ///
    /// Arguments in the form of a string are the text that the model sent.
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(super) calls: String,
    /// The repairs that are allowed.
    #[arg(long, value_enum, default_value_t = PolicyName::Lossless)]
    pub(super) policy: PolicyName,
    /// Checks calls that a model made of tools in a provider's dialect.
    #[arg(long, value_name = "DIALECT", value_parser = Dialect::from_str)]
    pub(super) dialect: Option<Dialect>,
    /// Ends with exit code 1 if a call was rejected, or if a call was repaired or rejected.
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(super) fail_on: Option<FailOn>,
    /// Prints one line of JSON for each call, in order, instead of a report.
    #[arg(long)]
    pub(super) json: bool,
    /// The number of threads that check calls, by default one for each core. The output does not depend on it.
    #[arg(long, value_name = "NUMBER")]
    pub(super) threads: Option<NonZero<usize>>,
}

#[cfg(feature = "proxy")]
#[derive(Debug, Args)]
pub(super) struct ServerOptions {
    /// The URL of a server over streamable HTTP, instead of a command. The program must be built with the feature `remote`.
    #[arg(value_name = "URL", conflicts_with = "command", required_unless_present = "command")]
    pub(super) url: Option<String>,
    /// The environment variable that contains the bearer token for the URL.
    #[arg(long, value_name = "NAME", requires = "url")]
    pub(super) token_env: Option<String>,
    /// The command that starts the server, after `--`.
    #[arg(last = true, value_name = "COMMAND")]
    pub(super) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct ReportOptions {
    /// A recording of `toolbox proxy`, a session or a conversation, as JSON Lines; `-` reads standard input. Two recordings are compared: those before
    /// and after a change of a prompt, a schema or a model.
    #[arg(value_name = "RECORDING", required = true, num_args = 1..=2)]
    pub(super) recordings: Vec<String>,
    /// Writes a page with every call to this file instead: one HTML file that loads nothing.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ParseOptions {
    /// Texts as JSON Lines, `{id?, raw}`; `-` reads standard input.
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(super) input: String,
    /// Reads the calls in answers of a model instead: `auto`, or the name of a call format such as `qwen3-coder`. Every name counts as a tool.
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<CallFormats>,
    /// Prints one line of JSON for each text instead of a report.
    #[arg(long)]
    pub(super) json: bool,
}

/// The formats in which calls are read.
#[derive(Clone, Debug)]
pub(super) struct CallFormats(pub(super) Vec<CallFormat>);

impl FromStr for CallFormats {
    type Err = UnknownCallFormat;

    fn from_str(name: &str) -> Result<Self, UnknownCallFormat> {
        if name == "auto" { Ok(Self(CallFormat::AUTO.to_vec())) } else { name.parse().map(|format| Self(vec![format])) }
    }
}

#[derive(Debug, Args)]
pub(super) struct SchemaOptions {
    /// The tools to print; all tools if none is named.
    #[arg(value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// The dialect of the definitions. They are printed as in one request: strict if the dialect is strict and can express the schema.
    ///
    /// A tool that the provider would reject is left out, and the reason is printed to standard error.
    #[arg(long, value_name = "DIALECT", value_parser = Dialect::from_str, default_value = "openai")]
    pub(super) dialect: Dialect,
    /// Prints a line `{tool, form, definition, notes}` for each tool instead of an indented array.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct LintOptions {
    /// Also finds tools that a provider's dialect rejects or cannot express.
    #[arg(long, value_name = "DIALECT", value_parser = Dialect::from_str)]
    pub(super) dialect: Option<Dialect>,
    /// Prints one line of JSON for each finding instead of a report.
    #[arg(long)]
    pub(super) json: bool,
    /// Ends with exit code 1 if an error was found, or if an error or a warning was found.
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(super) fail_on: Option<LintLevel>,
}

#[derive(Debug, Args)]
pub(super) struct ExplainOptions {
    /// The name in the call, or the `ref` of the tool.
    #[arg(value_name = "TOOL")]
    pub(super) tool: String,
    /// The arguments as the model sent them; `-` reads standard input.
    #[arg(value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub(super) arguments: String,
    /// The repairs that are allowed.
    #[arg(long, value_enum, default_value_t = PolicyName::Lossless)]
    pub(super) policy: PolicyName,
}

#[derive(Debug, Args)]
pub(super) struct CallOptions {
    /// The name of the tool. A member of a container is called by its own name; the container is expanded automatically.
    #[arg(value_name = "TOOL")]
    pub(super) tool: String,
    /// The arguments as a model would send them; `-` reads standard input.
    #[arg(value_name = "ARGUMENTS", default_value = "{}", allow_hyphen_values = true)]
    pub(super) arguments: String,
}

#[cfg(feature = "proxy")]
#[derive(Debug, Args)]
pub(super) struct ProxyOptions {
    /// A TOML file with settings. Options on the command line take precedence.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Prints the calls of each tool to standard error: at the end, and on Unix when the process gets the signal SIGUSR1.
    #[arg(long)]
    pub(super) report: bool,
    /// Forwards everything unchanged, and only prints what would be done.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// The repairs that are allowed; `words` by default.
    #[arg(long, value_enum, visible_alias = "repair")]
    pub(super) policy: Option<PolicyName>,
    /// Never pauses tools or calls.
    #[arg(long)]
    pub(super) no_throttle: bool,
    /// Warns of tools whose definitions have changed, or hides them; `off` by default.
    #[arg(long, value_enum)]
    pub(super) pin: Option<PinName>,
    /// The largest size of one message in bytes, 8 MiB by default.
    #[arg(long, value_name = "BYTES")]
    pub(super) max_message_bytes: Option<usize>,
    /// Serves clients over streamable HTTP at this address, such as 127.0.0.1:8931, instead of standard input and output.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) http: Option<SocketAddr>,
    /// The URL of a remote server over streamable HTTP, instead of a command. The program must be built with the feature `remote`.
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub(super) url: Option<String>,
    /// The environment variable that contains the bearer token for the URL.
    #[arg(long, value_name = "NAME", requires = "url")]
    pub(super) token_env: Option<String>,
    /// The command that starts the server, and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(super) command: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Unknown {
    /// Unknown keys are an issue, unless `additionalProperties` allows them or the object lists no properties.
    Reject,
    /// Unknown keys are allowed, even if `additionalProperties` is `false`.
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A call was rejected.
    #[value(alias = "refused")]
    Rejected,
    /// A call was repaired or rejected.
    Repaired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LintLevel {
    /// A provider rejects the definition, or no call can satisfy it.
    Error,
    /// The definition works, but could be better.
    Warning,
}

#[cfg(feature = "proxy")]
#[derive(Debug, Args)]
pub(super) struct PinsOptions {
    /// The file of remembered definitions.
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "config")]
    pub(super) file: Option<PathBuf>,
    /// The TOML file with the settings of the proxy, instead of `--file`.
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) config: Option<PathBuf>,
    /// Prints one line of JSON for each change.
    #[arg(long, global = true)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) action: Option<PinAction>,
}

#[cfg(feature = "proxy")]
#[derive(Debug, Subcommand)]
pub(super) enum PinAction {
    /// Approves changes, and prints them.
    Approve {
        #[arg(value_name = "SERVER")]
        server: String,
        /// The tools; all tools of the server if none is named.
        #[arg(value_name = "TOOL")]
        tools: Vec<String>,
    },
    /// Forgets a server. Its next list is trusted.
    Reset {
        #[arg(value_name = "SERVER")]
        server: String,
    },
}

#[cfg(feature = "proxy")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PinName {
    /// Definitions are not remembered.
    Off,
    /// The log says what has changed.
    Warn,
    /// The tools are hidden until they are approved.
    Hold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PolicyName {
    /// No repairs.
    Strict,
    /// Repairs with only one possible meaning and without loss.
    Lossless,
    /// Also reads `yes`, `no`, `on` and `off` as booleans.
    Words,
    /// Also renames a key if exactly one unknown key matches exactly one missing key.
    Assisted,
}

impl PolicyName {
    pub(super) const fn policy(self) -> RepairPolicy {
        match self {
            Self::Strict => RepairPolicy::Strict,
            Self::Lossless => RepairPolicy::Lossless,
            Self::Words => RepairPolicy::Words,
            Self::Assisted => RepairPolicy::Assisted,
        }
    }
}
