//! The rows of the table: one for each family of models.

use super::{Body, CallFormat, Marks};

impl CallFormat {
    /// `<tool_call>` with JSON: Hermes, Qwen 2.5, Qwen 3 and many others.
    pub const HERMES: Self = Self {
        name: "hermes",
        models: "Hermes, Qwen 2.5, Qwen 3, Granite 4, Jamba, MiniMax M1",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/hermes_tool_parser.py",
        example: "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"days\": 3}}\n</tool_call>",
        marks: &[
            Marks::new(&["<tool_call>"], &["</tool_call>"], Body::Object),
            Marks::new(&["<tool_calls>"], &["</tool_calls>"], Body::Object),
            Marks::new(&["<function_call>"], &["</function_call>"], Body::Object),
            Marks::new(&["<tool_use>"], &["</tool_use>"], Body::Object),
        ],
        section: &[],
    };

    /// `<function=…>` with `<parameter=…>`, in `<tool_call>`.
    pub const QWEN3_CODER: Self = Self {
        name: "qwen3-coder",
        models: "Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/qwen3coder_tool_parser.py",
        example: "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
        marks: &[Marks::new(
            &["<tool_call>", "<function="],
            &["</function>", "</tool_call>"],
            Body::Elements("<parameter=", "</parameter>"),
        )],
        section: &[],
    };

    /// `<function=…>` without other marks, with JSON or with `<parameter=…>`.
    pub const FUNCTION_TAG: Self = Self {
        name: "function-tag",
        models: "Llama 3.1, and Qwen3-Coder if it leaves `<tool_call>` out",
        source: "https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/prompt_format.md",
        example: "<function=get_weather>{\"city\": \"Paris\", \"days\": 3}</function>",
        marks: &[Marks::new(&["<function="], &["</function>"], Body::Elements("<parameter=", "</parameter>"))],
        section: &["</tool_call>", "<|eom_id|>", "<|eot_id|>"],
    };

    /// `DeepSeek` V3 and R1: the arguments are in a fence.
    pub const DEEPSEEK_V3: Self = Self {
        name: "deepseek-v3",
        models: "DeepSeek V3, R1",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/deepseekv3_tool_parser.py",
        example: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"Paris\", \"days\": 3}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        marks: &[Marks::new(
            &["<｜tool▁call▁begin｜>function<｜tool▁sep｜>"],
            &["<｜tool▁call▁end｜>"],
            Body::NameJson("```json"),
        )],
        section: DEEPSEEK,
    };

    /// `DeepSeek` V3.1.
    pub const DEEPSEEK_V31: Self = Self {
        name: "deepseek-v3.1",
        models: "DeepSeek V3.1",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/deepseekv31_tool_parser.py",
        example: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Paris\", \"days\": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        marks: &[Marks::new(&["<｜tool▁call▁begin｜>"], &["<｜tool▁call▁end｜>"], Body::NameJson("<｜tool▁sep｜>"))],
        section: DEEPSEEK,
    };

    /// The markup language of `DeepSeek` V3.2 and V4.
    pub const DEEPSEEK_DSML: Self = Self {
        name: "deepseek-dsml",
        models: "DeepSeek V3.2, V4",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/deepseekv32_tool_parser.py",
        example: "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        marks: &[
            Marks::new(
                &["<｜DSML｜invoke name=\""],
                &["</｜DSML｜invoke>"],
                Body::Elements("<｜DSML｜parameter name=\"", "</｜DSML｜parameter>"),
            ),
            Marks::new(
                &["<｜DSML｜ invoke name=\""],
                &["</｜DSML｜ invoke>"],
                Body::Elements("<｜DSML｜ parameter name=\"", "</｜DSML｜ parameter>"),
            ),
        ],
        section: &[
            "<｜DSML｜function_calls>",
            "</｜DSML｜function_calls>",
            "<｜DSML｜tool_calls>",
            "</｜DSML｜tool_calls>",
            "<｜DSML｜ calls>",
            "</｜DSML｜ calls>",
        ],
    };

    /// `<tool_call>` with a name and pairs of `<arg_key>` and `<arg_value>`.
    pub const GLM4: Self = Self {
        name: "glm4",
        models: "GLM 4.5 to 4.7",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/glm4_moe_tool_parser.py",
        example: "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
        marks: &[Marks::new(&["<tool_call>"], &["</tool_call>"], Body::Pairs)],
        section: &[],
    };

    /// Kimi K2: the name is in an id, as in `functions.get_weather:0`.
    pub const KIMI_K2: Self = Self {
        name: "kimi-k2",
        models: "Kimi K2",
        source: "https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md",
        example: "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Paris\", \"days\": 3}<|tool_call_end|><|tool_calls_section_end|>",
        marks: &[Marks::new(
            &["<|tool_call_begin|>"],
            &["<|tool_call_end|>"],
            Body::NameJson("<|tool_call_argument_begin|>"),
        )],
        section: &["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"],
    };

    /// `<invoke>` elements in `<minimax:tool_call>`.
    pub const MINIMAX_M2: Self = Self {
        name: "minimax-m2",
        models: "MiniMax M2",
        source: "https://huggingface.co/MiniMaxAI/MiniMax-M2/blob/main/docs/tool_calling_guide.md",
        example: "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"days\">3</parameter>\n</invoke>\n</minimax:tool_call>",
        marks: INVOKE,
        section: &["<minimax:tool_call>", "</minimax:tool_call>"],
    };

    /// `<steptml:invoke>` elements with tokens around them.
    pub const STEP3: Self = Self {
        name: "step3",
        models: "Step 3",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/step3_tool_parser.py",
        example: "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_weather\"><steptml:parameter name=\"city\">Paris</steptml:parameter><steptml:parameter name=\"days\">3</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        marks: &[Marks::new(
            &["<｜tool_call_begin｜>", "function<｜tool_sep｜>", "<steptml:invoke name=\""],
            &["</steptml:invoke>", "<｜tool_call_end｜>"],
            Body::Elements("<steptml:parameter name=\"", "</steptml:parameter>"),
        )],
        section: &["<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"],
    };

    /// `[TOOL_CALLS]` with a list.
    pub const MISTRAL: Self = Self {
        name: "mistral",
        models: "Mistral 7B v0.3, Nemo, Large 2407",
        source: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/tokens/tokenizers/instruct.py",
        example: "[TOOL_CALLS][{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"days\": 3}}]",
        marks: &[Marks::new(&["[TOOL_CALLS]"], &[], Body::Object)],
        section: &["</s>"],
    };

    /// `[TOOL_CALLS]` and a name for each call.
    pub const MISTRAL_V11: Self = Self {
        name: "mistral-v11",
        models: "Mistral Small 3.1 and later, Magistral, Devstral",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/mistral_tool_parser.py",
        example: "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Paris\", \"days\": 3}",
        marks: &[Marks::new(&["[TOOL_CALLS]"], &[], Body::NameJson("[ARGS]"))],
        section: &["</s>"],
    };

    /// An answer that is only JSON.
    pub const LLAMA3_JSON: Self = Self {
        name: "llama3-json",
        models: "Llama 3.1 and 3.2, xLAM, and models that are asked for JSON",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/llama_tool_parser.py",
        example: "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"days\": 3}}",
        marks: &[Marks::new(&[], &[], Body::Object)],
        section: &[],
    };

    /// `<|python_tag|>` with JSON.
    pub const PYTHON_TAG: Self = Self {
        name: "python-tag",
        models: "Llama 3.1, 3.2 and 3.3",
        source: "https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/prompt_format.md",
        example: "<|python_tag|>{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"days\": 3}}",
        marks: &[Marks::new(&["<|python_tag|>"], &[], Body::Object)],
        section: &["<|eom_id|>", "<|eot_id|>"],
    };

    /// A list of calls of Python functions, as the whole answer or between tokens.
    pub const PYTHONIC: Self = Self {
        name: "pythonic",
        models: "Llama 4, Llama 3.2, LFM2, Olmo 3",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/llama4_pythonic_tool_parser.py",
        example: "[get_weather(city=\"Paris\", days=3)]",
        marks: &[
            Marks::new(&["<|python_start|>"], &["<|python_end|>"], Body::Python),
            Marks::new(&["<|tool_call_start|>"], &["<|tool_call_end|>"], Body::Python),
            Marks::new(&[], &[], Body::Python),
        ],
        section: &["<|eom_id|>", "<|eot_id|>", "<|eot|>", "<|eom|>"],
    };

    /// `<|START_ACTION|>` with JSON.
    pub const COHERE: Self = Self {
        name: "cohere",
        models: "Command R7B, Command A",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/cohere_command_tool_parser.py",
        example: "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"days\": 3}}\n]<|END_ACTION|>",
        marks: &[Marks::new(&["<|START_ACTION|>"], &["<|END_ACTION|>"], Body::Object)],
        section: &[],
    };

    /// `<|tool_call|>` with a list.
    pub const GRANITE: Self = Self {
        name: "granite",
        models: "Granite 3",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/granite_tool_parser.py",
        example: "<|tool_call|>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"days\": 3}}]",
        marks: &[Marks::new(&["<|tool_call|>"], &[], Body::Object)],
        section: &["<|end_of_text|>"],
    };

    /// `functools`, or a pair of tokens, with a list.
    pub const PHI4: Self = Self {
        name: "phi4",
        models: "Phi-4-mini",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/phi4mini_tool_parser.py",
        example: "<|tool_call|>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"days\": 3}}]<|/tool_call|>",
        marks: &[Marks::new(&["<|tool_call|>"], &[], Body::Object), Marks::new(&["functools"], &[], Body::Object)],
        section: &["<|/tool_call|>", "<|end|>"],
    };

    /// `<TOOLCALL>` with a list.
    pub const NEMOTRON: Self = Self {
        name: "nemotron",
        models: "Llama Nemotron, Nemotron Nano 2",
        source: "https://huggingface.co/nvidia/NVIDIA-Nemotron-Nano-9B-v2/blob/main/nemotron_toolcall_parser_no_streaming.py",
        example: "<TOOLCALL>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"days\": 3}}]</TOOLCALL>",
        marks: &[Marks::new(&["<TOOLCALL>"], &["</TOOLCALL>"], Body::Object)],
        section: &[],
    };

    /// `call:` and an object in which a token replaces the quotation marks. The end token is optional because servers stop at it.
    pub const GEMMA4: Self = Self {
        name: "gemma4",
        models: "Gemma 4",
        source: "https://github.com/vllm-project/vllm/blob/main/vllm/tool_parsers/gemma4_tool_parser.py",
        example: "<|tool_call>call:get_weather{city:<|\"|>Paris<|\"|>,days:3}<tool_call|>",
        marks: &[
            Marks::new(&["<|tool_call>", "call:"], &[], Body::QuoteTokens),
            Marks::new(&["<|tool_call>", ":"], &[], Body::QuoteTokens),
        ],
        section: &["<tool_call|>", "<turn|>", "<|tool_response>"],
    };

    /// The harmony format: a message on a channel with a recipient. The end token is optional because servers remove it as a stop token.
    pub const HARMONY: Self = Self {
        name: "harmony",
        models: "gpt-oss",
        source: "https://github.com/openai/harmony/blob/main/docs/format.md",
        example: "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"Paris\", \"days\": 3}<|call|>",
        marks: &[
            Marks::new(&["<|channel|>commentary to="], &[], Body::NameJson("<|message|>")),
            Marks::new(&["<|channel|>analysis to="], &[], Body::NameJson("<|message|>")),
            Marks::new(&["<|start|>assistant to="], &[], Body::NameJson("<|message|>")),
        ],
        section: &["<|start|>assistant", "<|call|>"],
    };

    /// `<invoke>` elements in `<function_calls>`.
    pub const CLAUDE: Self = Self {
        name: "claude",
        models: "Claude, and gateways that describe tools in the prompt",
        source: "https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
        example: "<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"days\">3</parameter>\n</invoke>\n</function_calls>",
        marks: INVOKE,
        section: &[
            "<function_calls>",
            "</function_calls>",
            "<antml:function_calls>",
            "</antml:function_calls>",
            "<tool_calls>",
            "</tool_calls>",
        ],
    };

    /// `Action:` and `Action Input:`, which hosts must name: the words also occur in prose.
    pub const REACT: Self = Self {
        name: "react",
        models: "any model whose prompt describes ReAct",
        source: "https://github.com/langchain-ai/langchain/blob/v0.3/libs/langchain/langchain/agents/output_parsers/react_single_input.py",
        example: "Action: get_weather\nAction Input: {\"city\": \"Paris\", \"days\": 3}",
        marks: &[Marks::new(&["Action:"], &[], Body::NameJson("Action Input:"))],
        section: &[],
    };

    /// All formats. The last one is [`CallFormat::REACT`]. If two formats fit a mark, the first one that can read the call is used.
    pub const ALL: &'static [Self] = &[
        Self::HERMES,
        Self::QWEN3_CODER,
        Self::FUNCTION_TAG,
        Self::DEEPSEEK_V3,
        Self::DEEPSEEK_V31,
        Self::DEEPSEEK_DSML,
        Self::GLM4,
        Self::KIMI_K2,
        Self::MINIMAX_M2,
        Self::STEP3,
        Self::MISTRAL,
        Self::MISTRAL_V11,
        Self::LLAMA3_JSON,
        Self::PYTHON_TAG,
        Self::PYTHONIC,
        Self::COHERE,
        Self::PHI4,
        Self::GRANITE,
        Self::NEMOTRON,
        Self::GEMMA4,
        Self::HARMONY,
        Self::CLAUDE,
        Self::REACT,
    ];

    /// The formats for a model whose format is not known: all except [`CallFormat::REACT`].
    pub const AUTO: &'static [Self] = Self::ALL.split_at(Self::ALL.len() - 1).0;
}

/// `<invoke>` with and without the namespace of Claude.
const INVOKE: &[Marks] = &[
    Marks::new(&["<invoke name=\""], &["</invoke>"], Body::Elements("<parameter name=\"", "</parameter>")),
    Marks::new(
        &["<antml:invoke name=\""],
        &["</antml:invoke>"],
        Body::Elements("<antml:parameter name=\"", "</antml:parameter>"),
    ),
];

/// The marks around the calls of `DeepSeek` V3 and V3.1.
const DEEPSEEK: &[&str] = &["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜end▁of▁sentence｜>"];

impl Marks {
    const fn new(open: &'static [&'static str], close: &'static [&'static str], body: Body) -> Self {
        Self { open, close, body }
    }
}
