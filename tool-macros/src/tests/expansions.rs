//! Golden files of the generated code; `UPDATE_EXPECT=1` writes them.

use expect_test::expect_file;
use proc_macro2::TokenStream;
use quote::quote;

fn pretty(expansion: TokenStream) -> String {
    let file: syn::File = syn::parse2(expansion).expect("an expansion is a list of items");
    prettyplease::unparse(&file)
}

#[test]
fn a_tool_with_one_parameter() {
    let function = quote! {
        /// Current weather for a city.
        fn get_weather(
            /// City and country.
            #[tool(length(min = 1, max = 80), example = "Paris, France")]
            location: String,
        ) -> String {
            format!("sun in {location}")
        }
    };
    let expansion = pretty(crate::tool::expand(&quote!(read_only), &function));
    expect_file!["expansions/tool.rs"].assert_eq(&expansion);
    assert!(expansion.lines().count() <= 152, "{} lines", expansion.lines().count());
}

#[test]
fn a_container_with_two_members() {
    let block = quote! {
        /// Arithmetic on numbers.
        impl Math {
            /// Adds two numbers.
            #[tool]
            fn add(
                &self,
                /// First summand.
                a: f64,
                /// Second summand.
                #[tool(default = 0)]
                b: f64,
            ) -> f64 {
                a + b
            }

            /// Waits.
            #[tool(timeout_ms = 5_000)]
            async fn wait() -> Result<(), Late> {
                Ok(())
            }
        }
    };
    expect_file!["expansions/container.rs"]
        .assert_eq(&pretty(crate::plugin_container::expand(&TokenStream::new(), &block)));
}

#[test]
fn a_derived_enum() {
    let item = quote! {
        /// A means of transport.
        #[derive(Deserialize, ToolInput)]
        #[tool(ignore_unknown)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        enum Journey {
            /// On foot.
            Walk,
            /// By train.
            Train {
                /// The class.
                #[tool(range(min = 1, max = 2))]
                class: u8,
                #[serde(default)]
                #[tool(undocumented, length(max = 9), inner(pattern = "^[a-z]+$"))]
                stops: Vec<String>,
            },
        }
    };
    expect_file!["expansions/enum.rs"].assert_eq(&pretty(super::expand(item)));
}
