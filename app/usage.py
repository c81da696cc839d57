"""What a job spent, in the form that is shown."""

from __future__ import annotations

from longleaf.app.schema import Usage
from longleaf.engine.scheduling.meter import Meter

NO_MODEL = "none"  # the name of a model that says: code alone


def job_usage(model: str, meter: Meter) -> Usage:
    spent = meter.usage()
    return Usage(
        model=model,
        prompt_tokens=spent.prompt_tokens,
        reused_tokens=spent.reused_tokens,
        generated_tokens=spent.generated_tokens,
        seconds_to_first_token=spent.seconds_to_first_token,
        seconds=spent.seconds,
    )
