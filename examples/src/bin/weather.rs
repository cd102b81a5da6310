//! Free functions as tools: what the model is shown, a good call, and a call that it has to mend.

use examples::layout::laid_out;
use examples::weather::GetWeatherTool;
use tool_runtime::{Format, Toolbox};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Toolbox::builder().tool(GetWeatherTool).build()?.session();
    println!("{}\n", laid_out(&session.definitions(Format::OpenAi).to_string()));

    for arguments in [r#"{"location": "Paris, France", "days": 2}"#, r#"{"days": 30, "unit": "celcius"}"#] {
        let outcome = pollster::block_on(session.call("call_1", "get_weather", arguments));
        println!("{arguments}\n{}\n", laid_out(&outcome.to_text()));
    }
    Ok(())
}
