//! The modules for our other crates: the public names of each module, and its internals.

pub mod bounded {
    pub use crate::bounded::*;
}

pub mod check {
    pub use crate::check::sensitive_fields::sends_sensitive_field;
    pub use crate::check::*;

    use crate::json::Json;
    use crate::shape::Shape;

    /// Returns `true` if [`check`] would find no issue; stops at the first issue.
    pub fn accepts(shape: &Shape, json: &Json<'_>) -> bool {
        crate::check::accepts(shape, json)
    }
}

#[cfg(feature = "__count")]
pub mod counted {
    pub use crate::parse_counters::*;
}

pub mod decode {
    pub use crate::decode::find_error::{expected_at, is_path_in_shape, sent_at};
    pub use crate::decode::rejected::ParsedTree;
    pub use crate::decode::rename_aliases::{keep_last, with_canonical_names, without_repetitions};
    pub use crate::decode::serde_precautions::Care;
    pub use crate::decode::*;

    use crate::input::{Arguments, ToolInput};
    use crate::issue::ValidationError;
    use crate::json::{Json, SyntaxError};
    use crate::shape::{Ref, Shape};

    #[inline]
    pub fn decode_or_reject<'a, T: ToolInput>(arguments: &Arguments<'a>) -> Result<T, Box<Rejected<'a>>> {
        crate::decode::decode_or_reject(arguments)
    }

    pub fn check_arguments(input: &Ref, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        crate::decode::check_arguments(input, arguments)
    }

    pub fn misread(shape: &Shape, json: &Json<'_>) -> Option<ValidationError> {
        crate::decode::misread(shape, json)
    }

    pub fn invalid_json<'a>(error: SyntaxError) -> Rejected<'a> {
        Rejected::syntax(error)
    }

    pub const fn rejected(error: ValidationError, tree: Json<'_>) -> Rejected<'_> {
        Rejected::with_tree(error, tree)
    }

    pub const fn accepted(error: ValidationError, tree: Json<'_>) -> Rejected<'_> {
        Rejected::accepted(error, tree)
    }

    pub const fn parsed<'r, 'a>(rejected: &'r Rejected<'a>) -> ParsedTree<&'r Json<'a>> {
        rejected.parsed()
    }

    pub fn carried(rejected: Rejected<'_>) -> ValidationError {
        rejected.carried()
    }

    pub fn into_parts(rejected: Rejected<'_>) -> (ValidationError, ParsedTree<Json<'_>>) {
        rejected.into_parts()
    }
}

pub mod dialect {
    use crate::dialect::{Definition, Dialect, Inverse};
    use crate::issue::Issues;
    use crate::json::Json;
    use crate::shape::Ref;

    /// The definitions in the answer to an expansion, for members that are called in their own form.
    pub const AS_WRITTEN: Dialect = Dialect::AS_WRITTEN;

    /// Adds members to a definition for MCP. For each pair in `headers`, adds the name of an HTTP header to a parameter.
    pub fn extended_for_mcp<'h>(
        definition: Definition,
        members: impl IntoIterator<Item = (&'static str, Json<'static>)>,
        headers: impl IntoIterator<Item = (&'h str, &'h str)>,
    ) -> Definition {
        crate::dialect::extended_for_mcp(definition, members, headers)
    }

    /// Converts arguments in place from the form that the model saw to the tool's own form. An entry that cannot be converted is not
    /// changed, and is reported as an issue.
    pub fn undo(inverse: &Inverse, sent: &mut Json<'_>) -> Issues {
        inverse.undo(sent)
    }

    /// Returns the shape of a tool's arguments in the form that the model saw; `own` is the shape in the tool's own form.
    pub fn shown_input(inverse: &Inverse, own: &Ref) -> Ref {
        inverse.shown_input(own)
    }

    /// Rewrites issues so that they refer to the form that the model saw; `shown` contains the arguments in that form.
    pub fn shown_issues(inverse: &Inverse, issues: Issues, shown: &Json<'_>) -> Issues {
        inverse.shown_issues(issues, shown)
    }

    /// Returns `true` if the conversion has a rule for the argument that the model sends under this name.
    pub fn shows(inverse: &Inverse, key: &str) -> bool {
        inverse.shows(key)
    }
}

pub mod feedback {
    pub use crate::feedback::redact_arguments::{hides, redact_arguments};
    pub use crate::feedback::*;

    /// Variants of the feedback texts with a smaller budget, for use inside a longer text.
    pub mod parts {
        pub use crate::feedback::annotated_arguments::BUDGET;
        pub use crate::feedback::corrected_call::corrected_call;
        pub use crate::feedback::markdown::{markdown_of_invalid_json, markdown_within};
        pub use crate::feedback::syntax_error_excerpt::fenced;
    }
}

pub mod fast_hash {
    pub use crate::fast_hash::*;
}

pub mod hint {
    pub use crate::hint::bounded_path_text::{MAX_EXPECTED_BYTES, path_text, push_described, push_path};
    pub use crate::hint::hinted_field::HintedField;
    pub use crate::hint::*;

    use crate::issue::{Expected, Issue};

    pub fn reason_of(issues: &[Issue]) -> Reason {
        Reason::from_issues(issues)
    }

    pub fn without_fields(tool: &str, reason: Reason) -> RetryHint {
        RetryHint::without_fields(tool, reason)
    }

    #[inline]
    pub fn hint_json(hint: &RetryHint) -> &str {
        hint.as_json()
    }

    pub fn hinted_field<'h>(hint: &'h RetryHint, issues: &[Issue], index: usize) -> Option<(usize, &'h HintedField)> {
        hint.field(issues, index)
    }

    #[inline]
    pub fn field_name<'h>(hint: &'h RetryHint, field: &HintedField) -> &'h str {
        hint.name(field)
    }

    #[inline]
    pub fn field_expected<'h>(hint: &'h RetryHint, field: &HintedField) -> &'h str {
        hint.expected(field)
    }

    pub fn faults(issues: &[Issue]) -> Vec<(Vec<&Issue>, Option<&Issue>)> {
        crate::hint::faults(issues)
    }

    pub fn example_value(expected: &Expected) -> Option<String> {
        crate::hint::example_value(expected)
    }
}

pub mod input {
    pub use crate::input::key::MapKey;
    pub use crate::input::*;

    use crate::json::{Json, SyntaxError};

    /// Returns the arguments as a tree that borrows from their original text or value.
    pub fn tree<'a>(arguments: &Arguments<'a>) -> Result<Json<'a>, SyntaxError> {
        arguments.tree()
    }

    pub fn may_have_array(arguments: &Arguments<'_>) -> bool {
        arguments.may_have_array()
    }
}

pub mod issue {
    pub use crate::issue::bounded_text_list::{WriteText, to_escaped_text};
    pub use crate::issue::got::REDACTED;
    pub use crate::issue::path::value_at;
    pub use crate::issue::*;

    use std::sync::Arc;

    use crate::json::{Json, SyntaxError};
    use crate::shape::{Shape, Text};

    pub fn new_issue(path: Path, constraint: Constraint, expected: impl Into<Arc<Expected>>, got: Got) -> Issue {
        Issue::new(path, constraint, expected, got)
    }

    pub fn syntax_issue(error: &SyntaxError) -> Issue {
        Issue::syntax(error)
    }

    /// Adds the text around a syntax error to its issue, unless the shape has secrets.
    pub fn with_excerpt(mut issue: Issue, shape: &Shape, text: &str) -> Issue {
        if let Some(line) = crate::feedback::syntax_error_excerpt::line_around(shape, text, &issue) {
            issue.got = Got { json_type: None, json: None, preview: line.into(), bytes: text.len() };
        }
        issue
    }

    pub fn write_place(issue: &Issue, out: &mut String) {
        issue.write_place(out);
    }

    pub fn write_finding(issue: &Issue, out: &mut String) {
        issue.write_finding(out);
    }

    pub fn expected_words(words: Text) -> Expected {
        Expected::from_text(words)
    }

    pub fn resolved(tool: &str, issues: Issues) -> Issues {
        misplaced_fields::resolved(tool, issues)
    }

    pub fn inside(issue: &Issue) -> Option<&str> {
        issue.inside.as_deref()
    }

    pub fn suggestion(constraint: &Constraint, sent: &str) -> Option<Text> {
        constraint.suggestion(sent)
    }

    pub fn got_nothing() -> Got {
        Got::absent()
    }

    pub fn got(json: &Json<'_>) -> Got {
        Got::from_node(json)
    }

    /// Creates an error from the issues of rejected arguments; returns `None` if there are no issues.
    pub fn error_about(shape: &Shape, arguments: &Json<'_>, issues: Issues) -> Option<ValidationError> {
        ValidationError::about(shape, arguments, issues)
    }

    pub fn has_sent(error: &ValidationError) -> Option<bool> {
        error.has_sent()
    }

    pub fn shared_source(error: &ValidationError) -> Option<Arc<serde_json::Error>> {
        error.shared_source()
    }

    pub fn counted(issues: &[Issue], number: usize) -> (&'static str, usize) {
        crate::issue::counted(issues, number)
    }
}

pub mod json {
    pub use crate::json::equality::find_duplicate;
    pub use crate::json::number_text::NumberText;
    pub use crate::json::render::Preview;
    pub use crate::json::strings::{end_of_string, escape_at, escape_byte, plain_prefix_len, write_visible};
    pub use crate::json::surrogates::well_formed;
    pub use crate::json::write::{ObjectWriter, Writer};
    pub use crate::json::*;

    pub mod build {
        pub use crate::json::build::*;
    }

    pub mod pointer {
        pub use crate::json::pointer::*;
    }

    pub fn as_number<'j>(json: &'j Json<'_>) -> Option<NumberText<'j>> {
        json.as_number()
    }

    pub fn preview(json: &Json<'_>, limit: usize) -> Preview {
        json.preview(limit)
    }

    pub fn nodes(json: &Json<'_>) -> u64 {
        json.nodes()
    }

    pub fn laid_out(json: &Json<'_>, width: usize) -> String {
        json.laid_out(width)
    }
}

pub mod repair {
    pub use crate::repair::arguments::{
        RepairAttempt, accepts_argument, read_arguments, redact_ledger, repair_rejected_arguments,
    };
    pub use crate::repair::coerce::{Coerced, coerce};
    pub use crate::repair::*;

    use crate::issue::Path;
    use crate::json::Span;
    use crate::shape::Text;

    pub fn from_parts(path: Path, span: Option<Span>, rule: RepairRule, before: Text, after: Text) -> Repair {
        Repair::from_parts(path, span, rule, before, after)
    }

    pub fn of_container(rule: RepairRule, before: &str, after: Text) -> Repair {
        Repair::of_container(rule, before, after)
    }
}

pub mod schema {
    pub use crate::schema::*;

    pub mod keywords {
        pub use crate::schema::keywords::*;
    }

    use crate::json::Json;

    /// Converts a value to a tree, and sorts the keys of its objects.
    pub fn sorted(value: &serde_json::Value) -> Option<Json<'static>> {
        Json::from_value(value).ok().map(|json| json.into_owned().sorted())
    }
}

pub mod shape {
    pub use crate::shape::accepted_types::AcceptedTypes;
    pub use crate::shape::verify_literal::{Literal, assert_literal_fits};
    pub use crate::shape::walk::Part;
    pub use crate::shape::*;

    pub const fn plain_field(name: Text, doc: Text, shape: Ref, required: bool) -> Field {
        Field::plain(name, doc, shape, required)
    }

    pub fn unit_variant(name: Text) -> Variant {
        Variant::unit(name)
    }

    pub fn for_each_part(shape: &Shape, show: impl FnMut(Part<'_>, &Ref)) {
        shape.for_each_part(show);
    }

    pub fn lists(shape: &Shape, key: &str) -> bool {
        shape.lists(key)
    }

    pub fn has_key(field: &Field, key: &str) -> bool {
        field.has_key(key)
    }

    pub fn unaliased(edge: &Ref) -> Option<Ref> {
        edge.unaliased()
    }

    pub fn has_secrets(shape: &Shape) -> bool {
        shape.has_secrets()
    }

    pub fn walk(shape: &Shape, visit: impl FnMut(&Ref, &Shape) -> bool) -> bool {
        shape.walk(visit)
    }

    pub fn find_variant<'u>(union: &'u Union, name: &str) -> Option<&'u Variant> {
        union.find(name)
    }

    pub fn variant_names(union: &Union) -> Vec<Text> {
        union.names()
    }

    pub fn is_enumeration(union: &Union) -> bool {
        union.is_enumeration()
    }

    pub fn tag_shape(union: &Union) -> Ref {
        union.tag_shape()
    }

    pub mod apart {
        pub use crate::shape::ambiguity::*;
    }

    pub mod buffered {
        pub use crate::shape::serde_buffer::*;
    }
}

pub mod find_parameter_markup {
    pub use crate::find_parameter_markup::*;
}

pub mod suggest {
    pub use crate::suggest::*;
}

pub mod tool_names {
    pub use crate::tool_names::*;
}

pub mod visible {
    pub use crate::visible::*;
}
