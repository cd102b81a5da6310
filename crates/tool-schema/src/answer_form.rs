//! Answers of a type, as a provider is asked for them: [`AnswerForm`].
//!
//! In: a type and a [`Dialect`]. Out: the request for an answer of this type (the provider's own form, or a tool that stands for it), and the
//! value in the text that the model answers. Invariants: a type whose values are not objects is wrapped in an object, and nothing else is; a
//! text that was cut off is never a value; issues refer to the form that the model saw.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::bounded;
use crate::dialect::{Definition, Definitions, Dialect, DowngradeReason};
use crate::extract::{ExtractError, Extracted, UnreadAnswerReason, decode_answer, extract};
use crate::input::{Arguments, ToolInput};
use crate::issue::{Issue, Path, Segment, ValidationError};
use crate::json::{Json, Node, Number, Writer};
use crate::repair::{RepairedArguments, mend_value};
use crate::schema::{Hints, ToolDeclaration};
use crate::shape::{Field, Kind, Object, Ref, RepairPolicy, Shape, Text, UnknownKeys};

/// The key of the object in which other values are wrapped, because providers want an object.
const VALUE: Text = Text::from_static("value");
/// The maximum number of aliases that are followed to find out if a type is an object.
const HOPS: usize = 16;
/// The maximum number of issues in a feedback.
const MOST: usize = 5;
/// The maximum length of a text in a feedback, in bytes.
const TEXT: usize = 200;

const GUIDANCE: &str =
    "Answer again with the whole value, as JSON that matches the schema of the answer. Keep what was not marked.";

/// The form in which a provider is asked for an answer of a type.
///
/// ```
/// use tool_schema::dialect::{Definitions, Dialect};
/// use tool_schema::AnswerForm;
///
/// // The root of a schema has to be an object, so a list is wrapped.
/// let form = AnswerForm::<Vec<u8>>::new(Dialect::ANTHROPIC, &Definitions::default())?;
/// let format = form.definition().to_value();
/// assert_eq!(format["output_config"]["format"]["schema"]["required"][0], "value");
/// assert_eq!(form.read(r#"{"value": [1, "2"]}"#)?.value, [1, 2]);
///
/// // This provider has no form for answers, so a tool stands for it.
/// let form = AnswerForm::<Vec<u8>>::new(Dialect::BEDROCK, &Definitions::default())?;
/// assert_eq!(form.tool_name(), Some("final_answer"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnswerForm<T> {
    definition: Definition,
    is_tool: bool,
    is_wrapped: bool,
    /// The shape of the answer in the form that the model sees.
    shown: Ref,
    answer: PhantomData<fn() -> T>,
}

impl<T: ToolInput> AnswerForm<T> {
    /// Chooses the form for a request with these tools: the provider's own, or else a tool.
    ///
    /// # Errors
    ///
    /// Fails if the provider would reject the schema of the type in every form.
    pub fn new(dialect: Dialect, tools: &Definitions) -> Result<Self, AnswerFormError> {
        Self::build(dialect, tools, true)
    }

    /// Lets a tool stand for the answer, for clients that cannot send the provider's own form.
    ///
    /// # Errors
    ///
    /// Fails if the provider would reject the definition of the tool.
    pub fn via_tool(dialect: Dialect, tools: &Definitions) -> Result<Self, AnswerFormError> {
        Self::build(dialect, tools, false)
    }

    fn build(dialect: Dialect, tools: &Definitions, is_native: bool) -> Result<Self, AnswerFormError> {
        let is_wrapped = !is_object(T::SHAPE);
        let own = if is_wrapped { wrap_in_object(T::SHAPE) } else { Ref::Static(T::SHAPE) };
        let (name, shape) = (name(tools), own.shape());
        let of_type = &T::SHAPE.doc;
        let declare = |description| ToolDeclaration {
            name: &name,
            description,
            input: &shape,
            output: None,
            hints: Hints::default(),
        };
        let native = || dialect.render_answer(&declare(of_type), !tools.is_empty());
        let (definition, is_tool) = if let Some(definition) = is_native.then(native).flatten() {
            (definition, false)
        } else {
            let about = format!("Gives your final answer. Call it once, when you have everything.\n{of_type}");
            let about = Text::from(about.trim().to_owned());
            let declaration = declare(&about);
            let strict = dialect.strict().unwrap_or(dialect);
            (strict.render(&declaration, None), true)
        };
        if definition.omits_tool() {
            return Err(AnswerFormError { notes: definition.notes().to_vec() });
        }
        let shown = definition.inverse().map_or_else(|| own.clone(), |inverse| inverse.shown_input(&own));
        drop(shape);
        Ok(Self { definition, is_tool, is_wrapped, shown, answer: PhantomData })
    }

    /// Returns the definition of the tool that stands for the answer, or the keys that the provider expects in the body of the request.
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns the name of the tool that stands for the answer; `None` if the provider has a form of its own.
    pub fn tool_name(&self) -> Option<&str> {
        self.is_tool.then(|| self.definition.name())
    }

    /// Reads the answer from the text of the model, or from the arguments of its call. Repairs are the same as for [`extract`](extract()).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] with every issue. Its paths refer to the form that the model saw.
    pub fn read(&self, text: &str) -> Result<Extracted<T>, ExtractError> {
        if text.trim().is_empty() || (!self.is_wrapped && self.definition.inverse().is_none()) {
            return extract(text);
        }
        let shown = self.shown.shape();
        let arguments = Arguments::from(text);
        let rejected = |value: &Json<'_>, issues, repairs| {
            let error = ValidationError::new(issues).unwrap_or_else(|| no_value(value));
            ExtractError::of_value(&shown, value, error, repairs)
        };
        // As the arguments of a call, `null` stands for an empty object; here, it is a missing answer.
        if text.trim() == "null" {
            let nothing = Json::from_node(Node::Null);
            return Err(rejected(&nothing, vec![Issue::no_object(&self.shown, &nothing)], Vec::new()));
        }
        let (sent, repairs) = match mend_value("", &self.shown, &arguments, RepairPolicy::Lossless) {
            RepairedArguments::Clean(value) => (value, Vec::new()),
            RepairedArguments::Repaired { arguments: value, repairs, .. } => (value, repairs),
            RepairedArguments::Rejected { arguments: value, repairs, issues, .. } => {
                return Err(rejected(&value, issues, repairs));
            }
            RepairedArguments::Incomplete { repairs, issues, .. }
            | RepairedArguments::Unreadable { repairs, issues, .. } => {
                let error = ValidationError::new(issues).unwrap_or_else(|| no_value(&Json::from_node(Node::Null)));
                return Err(ExtractError::of_text(&shown, text, error, repairs));
            }
        };
        let inverse = self.definition.inverse();
        let mut own = sent.clone();
        let left = inverse.map(|inverse| inverse.undo(&mut own)).unwrap_or_default();
        if !left.is_empty() {
            return Err(rejected(&sent, left, repairs));
        }
        let value = if self.is_wrapped { own.get(VALUE.as_str()).unwrap_or(&own) } else { &own };
        match decode_answer(&value.to_text()) {
            Ok(value) => Ok(Extracted { value, repairs }),
            Err(error) => {
                let issues = error.issues().iter().cloned().map(|issue| self.below_wrapper(issue));
                let issues: Vec<Issue> = issues.collect();
                let issues = match inverse {
                    Some(inverse) => inverse.shown_issues(issues, &sent),
                    None => issues,
                };
                Err(rejected(&sent, issues, repairs))
            }
        }
    }

    /// Returns the error for an answer that was not read. A part of its text may look like a value.
    ///
    /// ```
    /// use tool_schema::dialect::{Definitions, Dialect};
    /// use tool_schema::{AnswerForm, UnreadAnswerReason};
    ///
    /// let form = AnswerForm::<Vec<u8>>::new(Dialect::OPENAI, &Definitions::default())?;
    /// let error = form.unread_error(r#"Such as {"value": [1]}, or else"#, UnreadAnswerReason::OutputLimit);
    /// assert!(error.feedback().contains("Your answer reached its output limit"));
    /// # Ok::<(), tool_schema::AnswerFormError>(())
    /// ```
    pub fn unread_error(&self, text: &str, why: UnreadAnswerReason) -> ExtractError {
        ExtractError::unread(&self.shown.shape(), text, why)
    }

    /// Moves the path of an issue below the wrapper.
    fn below_wrapper(&self, mut issue: Issue) -> Issue {
        if self.is_wrapped {
            let below = issue.path.segments().iter().cloned();
            issue.path = [Segment::Key(VALUE)].into_iter().chain(below).collect::<Path>();
        }
        issue
    }
}

/// Returns `true` for a struct, also behind aliases. The schema of a map or of a union would not be accepted as the root of an answer.
fn is_object(shape: &Shape) -> bool {
    let mut at = Ref::Lazy(|| Shape::ANY);
    let mut kind = shape.kind.clone();
    for _ in 0..HOPS {
        match kind {
            Kind::Object(_) => return true,
            Kind::Alias(inner) => {
                at.clone_from(&inner);
                kind = at.shape().kind.clone();
            }
            _ => return false,
        }
    }
    false
}

fn wrap_in_object(shape: &'static Shape) -> Ref {
    let field = Field::plain(VALUE, Text::EMPTY, Ref::Static(shape), true);
    let object = Object { fields: vec![field].into(), unknown: UnknownKeys::Rejected };
    Ref::Shared(Arc::new(Shape::new(Kind::Object(object))))
}

/// Returns a name that no tool has.
fn name(tools: &Definitions) -> Text {
    let mut name = "final_answer".to_owned();
    // Each number is tried at most once for each tool.
    let mut number = 1;
    while tools.get(&name).is_some() {
        number += 1;
        name = format!("final_answer_{number}");
    }
    name.into()
}

/// Returns the error for a value that was rejected without an issue. This only happens if the checker has a bug.
fn no_value(value: &Json<'_>) -> ValidationError {
    Issue::no_object(&Ref::Static(Shape::ANY), value).into()
}

impl ExtractError {
    /// Returns the answer for the model, from which it can correct its own: JSON of at most about 8,192 bytes. `docs/wire.md` defines it.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{ToolInput, extract};
    ///
    /// #[derive(Debug, Deserialize, ToolInput)]
    /// #[serde(deny_unknown_fields)]
    /// struct Invoice {
    ///     /// The person or company that is billed.
    ///     customer: String,
    ///     /// Amount in cents.
    ///     #[tool(range(min = 1))]
    ///     cents: u32,
    /// }
    ///
    /// let error = extract::<Invoice>(r#"{"cents": 0}"#).unwrap_err();
    /// let feedback: serde_json::Value = serde_json::from_str(&error.feedback())?;
    /// assert_eq!(feedback["errors"].as_array().map(Vec::len), Some(2));
    /// assert_eq!(feedback["recovery"], "correct_answer");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn feedback(&self) -> String {
        let issues = self.issues();
        let is_unreadable = issues.iter().any(|issue| issue.constraint.code() == "INVALID_JSON");
        let mut text = String::new();
        Writer::new(&mut text).object(|object| {
            object.known("error_type").unescaped_string(if is_unreadable {
                "invalid_json"
            } else {
                "validation_error"
            });
            object.known("error_message").string(&format!("The answer was not accepted: {self}"));
            object.known("errors").array(issues.iter().take(MOST), error);
            if let Some(omitted @ 1..) = issues.len().checked_sub(MOST) {
                object.known("omitted").number(Number::Integer(omitted as i128));
            }
            object.known("answer").string(self.annotated_answer());
            object.known("retry_guidance").string(self.why_unread().map_or(GUIDANCE, UnreadAnswerReason::guidance));
            object.known("recovery").unescaped_string("correct_answer");
        });
        text
    }
}

fn error(place: Writer<'_>, issue: &Issue) {
    place.object(|object| {
        object.known("property").string(&bounded::name(&crate::hint::path_text(issue)));
        object.known("error_message").string(&bounded::sentence(&issue.message(), TEXT));
        object.known("error_code").string(&bounded::name(issue.constraint.code()));
        object.known("constraint").string(&bounded::name(issue.constraint.keyword()));
        if let Some(suggestion) = &issue.suggestion {
            object.known("suggestion").string(&bounded::truncated_name(suggestion));
        }
    });
}

impl<T> fmt::Debug for AnswerForm<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerForm")
            .field("definition", &self.definition)
            .field("is_tool", &self.is_tool)
            .finish_non_exhaustive()
    }
}

/// The error for a type whose schema a provider would reject.
#[derive(Clone, Debug)]
pub struct AnswerFormError {
    notes: Vec<DowngradeReason>,
}

impl fmt::Display for AnswerFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the provider would reject the schema of the answer")?;
        self.notes.iter().try_for_each(|note| write!(f, "; {}", note.reason()))
    }
}

impl std::error::Error for AnswerFormError {}
