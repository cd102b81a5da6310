/// Arithmetic on numbers.
impl Math {
    /// Adds two numbers.
    fn add(&self, a: f64, b: f64) -> f64 {
        a + b
    }
    /// Waits.
    async fn wait() -> Result<(), Late> {
        Ok(())
    }
}
///The tool `add`: how it is registered, described and tested.
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
struct MathAddTool;
///The tool `wait`: how it is registered, described and tested.
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
struct MathWaitTool;
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
    use tool as _;
    const _: () = {
        pub struct __Args {
            ///First summand.
            pub a: f64,
            ///Second summand.
            pub b: f64,
        }
        struct __In;
        impl __tool::Parameter<0> for __In {
            type Type = f64;
        }
        impl __tool::Parameter<1> for __In {
            type Type = f64;
        }
        impl __tool::Parameters for __In {
            type Tree = (__tool::Required<Self, 0>, __tool::Defaulted<Self, 1>);
            const NAMES: &'static [&'static str] = &["a", "b"];
        }
        #[automatically_derived]
        impl<'de> __tool::serde::Deserialize<'de> for __Args {
            fn deserialize<D: __tool::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> __tool::Result<Self, D::Error> {
                match __tool::decode_parameters::<__In, D>(deserializer) {
                    __tool::Ok((value_0, value_1)) => {
                        __tool::Ok(Self {
                            a: value_0,
                            b: __tool::or_default::<__In, _, 1>(value_1, "0")?,
                        })
                    }
                    __tool::Err(error) => __tool::Err(error),
                }
            }
        }
        #[automatically_derived]
        impl __tool::ToolInput for __Args {
            const SHAPE: &'static __tool::Shape = &__tool::parameters(
                const {
                    &[
                        __tool::parameter::<__In, 0>("a", "First summand.").field(),
                        __tool::FieldInit {
                            default: __tool::Some("0"),
                            required: false,
                            ..__tool::parameter::<__In, 1>("b", "Second summand.")
                        }
                            .field(),
                    ]
                },
                __tool::UnknownKeys::Rejected,
            );
            fn guard(&self) -> bool {
                __tool::accepts::<__In, 0>(&self.a)
                    && __tool::accepts::<__In, 1>(&self.b)
            }
        }
        const _: () = __tool::verify_parameter::<
            __In,
            1,
        >(&__tool::Literal::Number(__tool::Number::Integer(0)));
        #[automatically_derived]
        impl __tool::TypedTool for MathAddTool {
            type Args = __Args;
            const SPEC: &'static __tool::ToolSpec = &__tool::ToolInit {
                verify: __tool::Some(|| __tool::accept::<__In, 1>("b", "default", "0")),
                ..__tool::ToolInit::new::<Self>("add", "Adds two numbers.")
            }
                .spec();
            fn care() -> __tool::Option<&'static __tool::CareCell> {
                static CARE: __tool::CareCell = __tool::CareCell::new();
                __tool::Some(&CARE)
            }
        }
        impl MathAddTool {
            /// Decodes arguments as a call would, without running anything; fails with every issue of the arguments.
            fn decode<'a, A: __tool::Into<__tool::Arguments<'a>>>(
                arguments: A,
            ) -> __tool::Result<
                <Self as __tool::TypedTool>::Args,
                __tool::ValidationError,
            > {
                <Self as __tool::TypedTool>::decode(arguments)
            }
            /// Runs the function on decoded arguments, as a session would; fails as the function does, or without its state.
            fn run(
                container: &Math,
                arguments: <Self as __tool::TypedTool>::Args,
                _cx: &__tool::CallContext,
            ) -> __tool::Answer {
                let returned = __tool::Returned(
                    <Math>::add(container, arguments.a, arguments.b),
                );
                let returned = (&returned).way().convert(returned);
                let returned = returned.result()?;
                returned.answer()
            }
        }
        #[automatically_derived]
        impl __tool::CallMember<Math> for MathAddTool {
            fn call<'a>(
                container: &'a Math,
                arguments: __tool::Arguments<'a>,
                cx: &'a __tool::CallContext,
            ) -> __tool::AnswerOrFuture<'a> {
                let run = |arguments| __tool::ready(Self::run(container, arguments, cx));
                __tool::invoke::<Self>(&arguments, cx, run)
            }
        }
    };
    const _: () = {
        pub struct __Args {}
        #[automatically_derived]
        impl<'de> __tool::serde::Deserialize<'de> for __Args {
            fn deserialize<D: __tool::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> __tool::Result<Self, D::Error> {
                match __tool::decode_parameters::<
                    __tool::NoParameters<true>,
                    D,
                >(deserializer) {
                    __tool::Ok(()) => __tool::Ok(Self {}),
                    __tool::Err(error) => __tool::Err(error),
                }
            }
        }
        #[automatically_derived]
        impl __tool::ToolInput for __Args {
            const SHAPE: &'static __tool::Shape = &__tool::parameters(
                const { &[] },
                __tool::UnknownKeys::Rejected,
            );
            fn guard(&self) -> bool {
                true
            }
        }
        #[automatically_derived]
        impl __tool::TypedTool for MathWaitTool {
            type Args = __Args;
            const SPEC: &'static __tool::ToolSpec = &__tool::ToolInit {
                settings: __tool::ToolSettings {
                    time_limit: __tool::Some(
                        __tool::core::time::Duration::from_millis(5000u64),
                    ),
                    ..__tool::ToolSettings::NONE
                },
                ..__tool::ToolInit::new::<Self>("wait", "Waits.")
            }
                .spec();
            fn care() -> __tool::Option<&'static __tool::CareCell> {
                static CARE: __tool::CareCell = __tool::CareCell::new();
                __tool::Some(&CARE)
            }
        }
        impl MathWaitTool {
            /// Decodes arguments as a call would, without running anything; fails with every issue of the arguments.
            fn decode<'a, A: __tool::Into<__tool::Arguments<'a>>>(
                arguments: A,
            ) -> __tool::Result<
                <Self as __tool::TypedTool>::Args,
                __tool::ValidationError,
            > {
                <Self as __tool::TypedTool>::decode(arguments)
            }
            /// Runs the function on decoded arguments, as a session would; fails as the function does, or without its state.
            async fn run(
                _container: &Math,
                _arguments: <Self as __tool::TypedTool>::Args,
                _cx: &__tool::CallContext,
            ) -> __tool::Answer {
                let returned = __tool::Returned(<Math>::wait().await);
                let returned = (&returned).way().convert(returned);
                let returned = returned.result()?;
                returned.answer()
            }
        }
        #[automatically_derived]
        impl __tool::CallMember<Math> for MathWaitTool {
            fn call<'a>(
                container: &'a Math,
                arguments: __tool::Arguments<'a>,
                cx: &'a __tool::CallContext,
            ) -> __tool::AnswerOrFuture<'a> {
                let run = |arguments| __tool::pending(
                    Self::run(container, arguments, cx),
                );
                __tool::invoke::<Self>(&arguments, cx, run)
            }
        }
    };
    #[automatically_derived]
    impl __tool::PluginContainer for Math {
        const SPEC: &'static __tool::ContainerSpec = &__tool::ContainerInit {
            name: "Math",
            description: "Arithmetic on numbers.",
            instructions: __tool::None,
            system_prompt: __tool::None,
            ..__tool::ContainerInit::DEFAULT
        }
            .spec();
        const MEMBERS: &'static [__tool::Member<Self>] = const {
            &[
                __tool::Member::new(
                    <MathAddTool as __tool::TypedTool>::SPEC,
                    <MathAddTool as __tool::CallMember<Self>>::call,
                ),
                __tool::Member::new(
                    <MathWaitTool as __tool::TypedTool>::SPEC,
                    <MathWaitTool as __tool::CallMember<Self>>::call,
                ),
            ]
        };
    }
};
