/// Current weather for a city.
fn get_weather(location: String) -> String {
    format!("sun in {location}")
}
///The tool `get_weather`: how it is registered, described and tested.
#[allow(
    dead_code,
    deprecated,
    private_bounds,
    private_interfaces,
    unreachable_patterns,
    unused_imports,
    unused_qualifications,
    clippy::arbitrary_source_item_ordering,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc,
    clippy::needless_update,
    clippy::same_name_method
)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
struct GetWeatherTool;
#[allow(
    dead_code,
    deprecated,
    private_bounds,
    private_interfaces,
    unreachable_patterns,
    unused_imports,
    unused_qualifications,
    clippy::arbitrary_source_item_ordering,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc,
    clippy::needless_update,
    clippy::same_name_method
)]
const _: () = {
    use ::tool_runtime::__private_0_1_0::{self as __tool, ways::*};
    pub struct __Args {
        ///City and country.
        pub location: String,
    }
    struct __In;
    impl __tool::Parameter<0> for __In {
        type Type = String;
        const RULES: &'static [__tool::Rule] = &[
            __tool::length(<String as __tool::HasLength>::MEASURE, 1, __tool::Some(80)),
        ];
        fn follows(__value: &String) -> bool {
            <String as __tool::HasLength>::is_within(__value, 1, __tool::Some(80))
        }
    }
    impl __tool::Parameters for __In {
        type Tree = __tool::Required<Self, 0>;
        const NAMES: &'static [&'static str] = &["location"];
    }
    #[automatically_derived]
    impl<'de> __tool::serde::Deserialize<'de> for __Args {
        fn deserialize<D: __tool::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __tool::Result<Self, D::Error> {
            match __tool::decode_parameters::<__In, D>(deserializer) {
                __tool::Ok(value_0) => __tool::Ok(Self { location: value_0 }),
                __tool::Err(error) => __tool::Err(error),
            }
        }
    }
    #[automatically_derived]
    impl __tool::ToolInput for __Args {
        const SHAPE: &'static __tool::Shape = &__tool::parameters(
            const {
                &[
                    __tool::FieldInit {
                        example: __tool::Some("\"Paris, France\""),
                        ..__tool::parameter::<__In, 0>("location", "City and country.")
                    }
                        .field(),
                ]
            },
            __tool::UnknownKeys::Rejected,
        );
        fn guard(&self) -> bool {
            __tool::accepts::<__In, 0>(&self.location)
        }
    }
    const _: () = __tool::verify_parameter::<
        __In,
        0,
    >(&__tool::Literal::String("Paris, France"));
    const _: () = __tool::assert_satisfiable_length(
        <__In as __tool::Parameter<0>>::SHAPE,
        1,
        __tool::Some(80),
    );
    #[automatically_derived]
    impl __tool::TypedTool for GetWeatherTool {
        type Args = __Args;
        const SPEC: &'static __tool::ToolSpec = &__tool::ToolInit {
            settings: __tool::ToolSettings {
                annotations: __tool::Annotations {
                    read_only: __tool::Some(true),
                    ..__tool::Annotations::NONE
                },
                ..__tool::ToolSettings::NONE
            },
            verify: __tool::Some(|| __tool::accept::<
                __In,
                0,
            >("location", "example", "\"Paris, France\"")),
            ..__tool::ToolInit::new::<Self>("get_weather", "Current weather for a city.")
        }
            .spec();
        fn care() -> __tool::Option<&'static __tool::CareCell> {
            static CARE: __tool::CareCell = __tool::CareCell::new();
            __tool::Some(&CARE)
        }
    }
    impl GetWeatherTool {
        /// Decodes arguments as a call would, without running anything; fails with every issue of the arguments.
        fn decode<'a, A: __tool::Into<__tool::Arguments<'a>>>(
            arguments: A,
        ) -> __tool::Result<<Self as __tool::TypedTool>::Args, __tool::ValidationError> {
            <Self as __tool::TypedTool>::decode(arguments)
        }
        /// Runs the function on decoded arguments, as a session would; fails as the function does, or without its state.
        fn run(
            arguments: <Self as __tool::TypedTool>::Args,
            _cx: &__tool::CallContext,
        ) -> __tool::Answer {
            let returned = __tool::Returned(get_weather(arguments.location));
            let returned = (&returned).way().convert(returned);
            let returned = returned.result()?;
            returned.answer()
        }
    }
    #[automatically_derived]
    impl __tool::Tool for GetWeatherTool {
        fn spec(&self) -> &__tool::ToolSpec {
            <Self as __tool::TypedTool>::SPEC
        }
        fn call<'a>(
            &'a self,
            arguments: __tool::Arguments<'a>,
            cx: &'a __tool::CallContext,
        ) -> __tool::AnswerOrFuture<'a> {
            let run = |arguments| __tool::ready(Self::run(arguments, cx));
            __tool::invoke::<Self>(&arguments, cx, run)
        }
        fn ignores_context(&self) -> bool {
            true
        }
    }
};
