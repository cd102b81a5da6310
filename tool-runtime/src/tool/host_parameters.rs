//! The parameters of a tool that the host supplies: [`HostParameters`].
//!
//! In: the shape of these parameters, and the host's values. Out: the issues of the values, or one text with all arguments of a call.
//! Invariant: nothing here changes the input that the model sees.

use super::{DecodeFn, HostArguments};
use crate::check::check;
use crate::context::DecodedArguments;
use crate::input::Arguments;
use crate::issue::{Issue, Issues, Segment, ValidationError, syntax_issue};
use crate::json::{Json, Member, Node};
use crate::shape::{Field, Kind, Ref};

/// The parameters of a tool that the host supplies. The model neither sees nor sends them.
///
/// ```
/// use tool_runtime::{TypedTool, tool};
///
/// /// Describes a picture.
/// #[tool]
/// fn describe(
///     /// The question of the user.
///     question: String,
///     /// Path of the picture.
///     #[tool(host)]
///     picture: String,
/// ) -> String {
///     format!("{picture}: {question}")
/// }
///
/// let host = DescribeTool::SPEC.host.as_ref().ok_or("a host parameter")?;
/// assert_eq!(host.fields()[0].name, "picture");
/// assert!(!DescribeTool::SPEC.schema().contains("picture"));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HostParameters {
    /// The shape of the object with the host's values.
    pub shape: Ref,
    /// Decodes the model's arguments and the host's values together; `None` if the tool has no type for them.
    pub(crate) decode: Option<DecodeFn>,
}

/// All arguments of a call: the model's arguments and the host's values.
pub(crate) struct Complete {
    pub(crate) arguments: Arguments<'static>,
    pub(crate) prepared: Option<DecodedArguments>,
}

/// The reason why a call cannot run with the host's values.
pub(crate) enum Incomplete {
    /// The issues of the host's values, as texts for the observer.
    Host(String),
    /// The tool rejects the model's arguments.
    Model(ValidationError),
}

impl HostParameters {
    pub(crate) const fn new(shape: Ref, decode: Option<DecodeFn>) -> Self {
        Self { shape, decode }
    }

    /// Returns the parameters, for example to build a form from them.
    pub fn fields(&self) -> Vec<Field> {
        match &self.shape.shape().kind {
            Kind::Object(object) => object.fields.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns the required parameters for which the host supplied no value.
    pub(crate) fn missing(&self, supplied: &HostArguments) -> Vec<Field> {
        self.fields().into_iter().filter(|field| field.is_required() && supplied.get(&field.name).is_none()).collect()
    }

    /// Checks the values. User-defined rules are checked too, and may panic.
    pub(crate) fn issues(&self, supplied: &HostArguments) -> Issues {
        match supplied.arguments().to_json() {
            Ok(json) => check(&self.shape.shape(), &json),
            Err(error) => [syntax_issue(&error)].into_iter().collect(),
        }
    }

    /// Joins the accepted arguments of the model with the host's values, and decodes all of them.
    pub(crate) fn complete(&self, arguments: &Arguments<'_>, supplied: &HostArguments) -> Result<Complete, Incomplete> {
        let issues = self.issues(supplied);
        if !issues.is_empty() {
            return Err(Incomplete::Host(words(&issues)));
        }
        let members = |arguments: &Arguments<'_>| -> Vec<Member<'static>> {
            match arguments.to_json().map(Json::into_owned).map(|json| json.node) {
                Ok(Node::Object(members)) => members,
                _ => Vec::new(),
            }
        };
        let mut all = members(arguments);
        all.append(&mut members(&supplied.arguments()));
        let arguments = Arguments::from(Json::from_node(Node::Object(all)).to_text());
        match self.decode.map(|decode| decode(&arguments)).transpose() {
            Ok(prepared) => Ok(Complete { arguments, prepared }),
            Err(rejected) => Err(self.blame(rejected.into_error())),
        }
    }

    /// Attributes a rejection by the tool to the values of the host or of the model.
    pub(crate) fn blame(&self, error: ValidationError) -> Incomplete {
        let fields = self.fields();
        let is_of_host = |issue: &Issue| match issue.path.segments().first() {
            Some(Segment::Key(key)) => fields.iter().any(|field| *field.name == **key),
            _ => false,
        };
        if error.issues().iter().any(is_of_host) {
            return Incomplete::Host(words(error.issues()));
        }
        Incomplete::Model(error)
    }
}

fn words(issues: &[Issue]) -> String {
    issues.iter().map(Issue::message).collect::<Vec<_>>().join("; ")
}
