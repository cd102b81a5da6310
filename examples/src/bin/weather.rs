//! Free functions as tools: the definition that the model sees, a valid call, and a call with issues.

use examples::layout::laid_out;
use examples::weather::GetWeatherTool;
use tool_runtime::Toolbox;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Toolbox::builder().tool(GetWeatherTool).build()?.session();
    println!("{}\n", laid_out(&session.definitions().to_string()));

    for arguments in [r#"{"location": "Paris, France", "days": 2}"#, r#"{"days": 30, "unit": "celcius"}"#] {
        let outcome = pollster::block_on(session.call("call_1", "get_weather", arguments));
        println!("{arguments}\n{}\n", laid_out(&outcome.to_text()));
    }
    Ok(())
}
