//! What can be said on the command line, for tools in a file and for tools of the program itself.
//!
//! The two differ in where the tools come from and in `call`, which only a program with tools of its own has; everything else is
//! shared, so that a page about one is a page about the other.

use clap::{Args, Parser, Subcommand, ValueEnum};

use tool_runtime::Format;
use tool_runtime::RepairPolicy;
use tool_runtime::tool_schema::dialect::Dialect;

/// Checks tool definitions and the calls that models make of them.
#[derive(Debug, Parser)]
#[command(name = "toolbox", version, arg_required_else_help = true)]
pub(super) struct FileCommand {
    #[command(subcommand)]
    pub(super) verb: FileVerb,
}

#[derive(Debug, Subcommand)]
pub(super) enum FileVerb {
    /// Says of each recorded call whether it would run, after which repairs, or what the model would be told.
    Check {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: CheckOptions,
    },
    /// Reads JSON as models write it: what each text was read as, and what was changed.
    Parse(ParseOptions),
    /// Prints the definitions of the tools as a provider's API takes them.
    Schema {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: SchemaOptions,
    },
    /// Finds what is wrong with the definitions themselves: names, descriptions, rules that can never hold, limits of providers.
    Lint {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: LintOptions,
    },
    /// Shows one call in full: what was repaired, every fault, and each form in which the model can be told.
    Explain {
        #[command(flatten)]
        tools: ToolsFile,
        #[command(flatten)]
        options: ExplainOptions,
    },
}

/// Checks the calls that models make of this program's tools.
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
    /// Says of each recorded call whether it would run, after which repairs, or what the model would be told.
    Check(CheckOptions),
    /// Reads JSON as models write it: what each text was read as, and what was changed.
    Parse(ParseOptions),
    /// Prints the definitions of the tools as a provider's API takes them.
    Schema(SchemaOptions),
    /// Finds what is wrong with the definitions themselves: names, descriptions, rules that can never hold, limits of providers.
    Lint(LintOptions),
    /// Shows one call in full: what was repaired, every fault, and each form in which the model can be told.
    Explain(ExplainOptions),
}

#[derive(Debug, Args)]
pub(super) struct ToolsFile {
    /// Definitions: a JSON array, JSON Lines, or a `{"tools": [...]}` as MCP lists them; `-` reads standard input.
    ///
    /// Each is `{name, description, parameters}` (also `input_schema`, `inputSchema`), or `{type, function}` as `OpenAI` has it. A `ref`
    /// tells tools of the same name apart.
    #[arg(long = "tools", value_name = "FILE")]
    pub(super) tools: String,
    /// What happens to keys that a schema does not list, where it does not say so itself.
    #[arg(long, value_enum, default_value_t = Unknown::Reject)]
    pub(super) unknown: Unknown,
    /// Checks `format` too; without it a `format` is not judged. JSON Schema leaves it to whoever validates, and many schemas say
    /// more than their servers ask.
    #[arg(long)]
    pub(super) formats: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckOptions {
    /// Calls as JSON Lines, `{id?, tool | name, tool_ref?, arguments | raw}`; `-` reads standard input.
    ///
    /// Arguments that are a string are text as the model sent it.
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(super) calls: String,
    /// How much may be read otherwise than it was written.
    #[arg(long, value_enum, default_value_t = PolicyName::Lossless)]
    pub(super) policy: PolicyName,
    /// Reads the calls as a model sends them that was shown the tools in a provider's dialect.
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub(super) dialect: Option<Dialect>,
    /// Ends with exit code 1 where a call was refused; or refused or repaired.
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(super) fail_on: Option<FailOn>,
    /// One line of JSON for each call, in the order of the calls, instead of a report.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ParseOptions {
    /// Texts as JSON Lines, `{id?, raw}`; `-` reads standard input.
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(super) input: String,
    /// One line of JSON for each text instead of a report.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct SchemaOptions {
    /// The tools to print; all of them where none is named.
    #[arg(value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// Whose form the definitions have.
    #[arg(long, value_enum, default_value_t = FormatName::OpenAi)]
    pub(super) format: FormatName,
    /// Prints the definitions in a provider's dialect, as one request holds them: strict where the dialect is and can say the schema.
    ///
    /// With `--json`, each line is `{tool, form, definition, notes}`.
    #[arg(long, value_name = "DIALECT", value_parser = dialect, conflicts_with = "format")]
    pub(super) dialect: Option<Dialect>,
    /// One definition a line instead of a laid out array.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct LintOptions {
    /// Also finds what a provider's dialect refuses or cannot say.
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub(super) dialect: Option<Dialect>,
    /// One line of JSON for each finding instead of a report.
    #[arg(long)]
    pub(super) json: bool,
    /// Ends with exit code 1 where an error was found; or an error or a warning.
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(super) fail_on: Option<LintLevel>,
}

#[derive(Debug, Args)]
pub(super) struct ExplainOptions {
    /// The tool's name as the model called it, or its `ref`.
    #[arg(value_name = "TOOL")]
    pub(super) tool: String,
    /// The arguments as the model sent them; `-` reads standard input.
    #[arg(value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub(super) arguments: String,
    /// How much may be read otherwise than it was written.
    #[arg(long, value_enum, default_value_t = PolicyName::Lossless)]
    pub(super) policy: PolicyName,
}

#[derive(Debug, Args)]
pub(super) struct CallOptions {
    /// The tool's name; a member of a container is called by its own name, without expanding the container before.
    #[arg(value_name = "TOOL")]
    pub(super) tool: String,
    /// The arguments as a model would send them; `-` reads standard input.
    #[arg(value_name = "ARGUMENTS", default_value = "{}", allow_hyphen_values = true)]
    pub(super) arguments: String,
}

/// A dialect by its name.
fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::named(name).ok_or_else(|| {
        let names: Vec<_> = Dialect::all().map(Dialect::name).collect();
        format!("it is one of {}", names.join(", "))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Unknown {
    /// A fault. An object that lists no properties stays open.
    Reject,
    /// Left alone.
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A call was refused.
    Refused,
    /// A call was repaired or refused.
    Repaired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LintLevel {
    /// A provider refuses it, or no call can fulfil it.
    Error,
    /// It works, but worse than it could.
    Warning,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PolicyName {
    /// Nothing is read otherwise than it was written.
    Strict,
    /// What can only have meant one thing and loses nothing.
    Lossless,
    /// Renames as well, where exactly one unknown key fits exactly one that is missing.
    Assisted,
}

impl PolicyName {
    pub(super) const fn policy(self) -> RepairPolicy {
        match self {
            Self::Strict => RepairPolicy::Strict,
            Self::Lossless => RepairPolicy::Lossless,
            Self::Assisted => RepairPolicy::Assisted,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatName {
    #[value(name = "openai")]
    OpenAi,
    #[value(name = "openai-responses")]
    OpenAiResponses,
    Anthropic,
    Gemini,
    Mcp,
}

impl FormatName {
    pub(super) const fn format(self) -> Format {
        match self {
            Self::OpenAi => Format::OpenAi,
            Self::OpenAiResponses => Format::OpenAiResponses,
            Self::Anthropic => Format::Anthropic,
            Self::Gemini => Format::Gemini,
            Self::Mcp => Format::Mcp,
        }
    }
}
