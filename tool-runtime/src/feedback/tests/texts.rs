//! Texts of `docs/wire.md` that the tests of this module and of the package `tests` expect.

pub(super) const HINT: &str = r#"{
  "reason": "missing_fields",
  "tool": "get_weather",
  "missing_fields": ["location"],
  "constraints": [
    {"field": "unit", "expected": "one of \"celsius\", \"fahrenheit\", or leave it out", "type": "string", "allowed_values": ["celsius", "fahrenheit"], "did_you_mean": "celsius"},
    {"field": "days", "expected": "integer from 1 to 14, or leave it out", "type": "integer", "min": 1, "max": 14}
  ],
  "clarifying_question": "Which location (City and country) should get_weather use?",
  "example_input": {"location": "Paris, France"}
}"#;

pub(super) const REJECTION: &str = r#"{
  "error_type": "validation_error",
  "tool": "get_weather",
  "error_message": "get_weather was not run: location is required; unit must be one of \"celsius\", \"fahrenheit\"; days must be at most 14",
  "errors": [
    {"property": "location", "attempted_value": null, "error_message": "location is required", "error_code": "REQUIRED_FIELD", "constraint": "required", "expected": "string of 1 to 80 characters"},
    {"property": "unit", "attempted_value": "celcius", "error_message": "unit must be one of \"celsius\", \"fahrenheit\"", "error_code": "INVALID_ENUM_VALUE", "constraint": "enum", "expected": "one of \"celsius\", \"fahrenheit\", or leave it out", "suggestion": "celsius"},
    {"property": "days", "attempted_value": 30, "error_message": "days must be at most 14", "error_code": "INVALID_RANGE", "constraint": "maximum", "expected": "integer from 1 to 14, or leave it out"}
  ],
  "retry_guidance": "Call get_weather again with location (City and country), unit \"celsius\" if you mean it, days at most 14. Keep the other arguments as they were.",
  "recovery": "correct_call",
  "retry_hint": HINT
}"#;

pub(super) const CONTAINER: &str = r#"{
  "error_type": "container_invocation_error",
  "container_name": "Math",
  "attempted_parameters": {"function": "add", "a": 5, "b": 10},
  "available_functions": ["add", "multiply", "abs", "square", "subtract", "min", "solve_quadratic"],
  "error_message": "'Math' is a container function that groups related functions. It cannot be called with parameters.",
  "retry_guidance": "This requires TWO separate tool calls: (1) First call 'Math' with NO arguments to expand it. (2) After expansion succeeds, call the individual function you need. Available functions: add, multiply, abs, square, subtract, ...",
  "recovery": "correct_call"
}"#;

pub(super) const EXPANSION: &str = r#"{"expanded": "Math", "functions": ["add", "multiply", "abs", "square", "subtract", "min", "solve_quadratic"], "message": "Math expanded. Functions: add, multiply, abs, square, subtract, min, solve_quadratic. Call them directly."}"#;
