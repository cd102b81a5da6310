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
    use ::tool_runtime::__private_0_1_0 as __tool;
    #[automatically_derived]
    impl __tool::ToolInput for Journey {
        const SHAPE: &'static __tool::Shape = &__tool::ShapeInit {
            name: "Journey",
            identity: __tool::Some(__tool::identity::<Self>()),
            doc: "A means of transport.",
            ..__tool::ShapeInit::DEFAULT
        }
            .shape(
                __tool::union(
                    __tool::Tagging::Internal {
                        tag: __tool::Text::Static("kind"),
                    },
                    const {
                        &[
                            __tool::VariantInit {
                                name: "walk",
                                doc: "On foot.",
                                ..__tool::VariantInit::DEFAULT
                            }
                                .variant(),
                            __tool::VariantInit {
                                name: "train",
                                doc: "By train.",
                                payload: __tool::Some(const {
                                    &__tool::ShapeInit::DEFAULT
                                        .shape(
                                            __tool::object(
                                                const {
                                                    &[
                                                        __tool::FieldInit {
                                                            name: "class",
                                                            shape: <u8 as __tool::ToolInput>::SHAPE,
                                                            doc: "The class.",
                                                            rules: const {
                                                                &[
                                                                    __tool::range(
                                                                        <u8 as __tool::AcceptsRange>::in_range,
                                                                        __tool::Range {
                                                                            min: __tool::Some(__tool::Number::Integer(1)),
                                                                            max: __tool::Some(__tool::Number::Integer(2)),
                                                                            ..__tool::Range::UNBOUNDED
                                                                        },
                                                                    ),
                                                                ]
                                                            },
                                                            required: !<u8 as __tool::ToolInput>::OPTIONAL,
                                                            ..__tool::FieldInit::DEFAULT
                                                        }
                                                            .field(),
                                                        __tool::FieldInit {
                                                            name: "stops",
                                                            shape: <Vec<String> as __tool::ToolInput>::SHAPE,
                                                            rules: const {
                                                                &[
                                                                    __tool::length(
                                                                        <Vec<String> as __tool::HasLength>::MEASURE,
                                                                        0,
                                                                        __tool::Some(9),
                                                                    ),
                                                                    __tool::inner(const {
                                                                        &[
                                                                            __tool::pattern(
                                                                                <<Vec<
                                                                                    String,
                                                                                > as __tool::HasItems>::Item as __tool::AcceptsPattern>::matches,
                                                                                "^[a-z]+$",
                                                                                matches_dd8654bea1389462,
                                                                                "a",
                                                                            ),
                                                                        ]
                                                                    }),
                                                                ]
                                                            },
                                                            has_computed_default: true,
                                                            ..__tool::FieldInit::DEFAULT
                                                        }
                                                            .field(),
                                                    ]
                                                },
                                                __tool::UnknownKeys::Ignored,
                                            ),
                                        )
                                }),
                                ..__tool::VariantInit::DEFAULT
                            }
                                .variant(),
                        ]
                    },
                    __tool::UnknownKeys::Ignored,
                ),
            );
        fn guard(&self) -> bool {
            (match self {
                Self::Train { class: field_0, stops: field_1, .. } => {
                    <u8 as __tool::ToolInput>::guard(field_0)
                        && <u8 as __tool::AcceptsRange>::in_range(
                            field_0,
                            &__tool::Range {
                                min: __tool::Some(__tool::Number::Integer(1)),
                                max: __tool::Some(__tool::Number::Integer(2)),
                                ..__tool::Range::UNBOUNDED
                            },
                        ) && <Vec<String> as __tool::ToolInput>::guard(field_1)
                        && <Vec<
                            String,
                        > as __tool::HasLength>::is_within(field_1, 0, __tool::Some(9))
                        && <Vec<
                            String,
                        > as __tool::HasItems>::all_items(
                            field_1,
                            |item| {
                                <<Vec<
                                    String,
                                > as __tool::HasItems>::Item as __tool::AcceptsPattern>::matches(
                                    item,
                                    matches_dd8654bea1389462,
                                )
                            },
                        )
                }
                _ => true,
            })
        }
    }
    fn matches_dd8654bea1389462(text: &str) -> bool {
        static REGEX: __tool::Regex = __tool::Regex::new("^[a-z]+$");
        REGEX.is_match(text)
    }
    const _: () = __tool::assert_satisfiable_range(
        <u8 as __tool::ToolInput>::SHAPE,
        &__tool::Range {
            min: __tool::Some(__tool::Number::Integer(1)),
            max: __tool::Some(__tool::Number::Integer(2)),
            ..__tool::Range::UNBOUNDED
        },
    );
    const _: () = __tool::assert_satisfiable_length(
        <Vec<String> as __tool::ToolInput>::SHAPE,
        0,
        __tool::Some(9),
    );
    const _: () = {
        use __tool::Otherwise as _;
        __tool::keeps_null(__tool::IsDoubleOption::<u8>::VALUE);
    };
    const _: () = {
        use __tool::Otherwise as _;
        __tool::keeps_null(__tool::IsDoubleOption::<Vec<String>>::VALUE);
    };
    const _: () = __tool::buffered(<u8 as __tool::ToolInput>::SHAPE);
    const _: () = __tool::buffered(<Vec<String> as __tool::ToolInput>::SHAPE);
};
