"""What hookify's manual says of a rule and a call: one verdict per pair, as JSON. Written for the test beside it."""
import json
import re
import sys

OPERATORS = {
    "regex_match": lambda pattern, text: re.search(pattern, text, re.IGNORECASE) is not None,
    "contains": lambda pattern, text: pattern in text,
    "not_contains": lambda pattern, text: pattern not in text,
    "equals": lambda pattern, text: pattern == text,
    "starts_with": lambda pattern, text: text.startswith(pattern),
    "ends_with": lambda pattern, text: text.endswith(pattern),
}


def kind_of(call):
    if call["hook_event_name"] == "Stop":
        return "stop"
    if call["hook_event_name"] == "UserPromptSubmit":
        return "prompt"
    return {"Bash": "bash", "Write": "file", "Edit": "file"}.get(call["tool_name"], "other")


def texts_of(call):
    given = call.get("tool_input", {})
    fields = {name: value if isinstance(value, str) else str(value) for name, value in given.items()}
    kind = kind_of(call)
    if kind == "file":
        new = given.get("content", given.get("new_string", ""))
        fields.update(new_text=new, content=new)
        if "old_string" in given:
            fields["old_text"] = given["old_string"]
        fields["*"] = new
    elif kind == "bash":
        fields["*"] = given["command"]
    elif kind == "prompt":
        fields.update({"user_prompt": call["prompt"], "*": call["prompt"]})
    elif kind == "stop":
        fields.update({"reason": "", "*": call.get("last_assistant_message", "")})
    return fields


def verdict(rule, call):
    if not rule.get("enabled", True) or rule["event"] not in ("all", kind_of(call)):
        return "none"
    if "tool" in rule and call.get("tool_name") not in rule["tool"].split("|"):
        return "none"
    conditions = rule.get("conditions") or [{"field": "*", "pattern": rule["pattern"]}]
    texts = texts_of(call)
    for one in conditions:
        text = texts.get(one["field"])
        if text is None or not OPERATORS[one.get("operator", "regex_match")](one["pattern"], text):
            return "none"
    return rule.get("action", "warn")


rules, calls = json.load(sys.stdin)
json.dump([[verdict(rule, call) for call in calls] for rule in rules], sys.stdout)
